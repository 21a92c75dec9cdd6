/** Others' text for a terminal: what moves the cursor, hides text or turns its direction is spelled out. */
export function escapeControlCharacters(text: string): string {
  return text.replaceAll(odd, (found) => {
    const code = found.codePointAt(0) ?? 0;
    return code <= 0x9f
      ? `\\x${code.toString(16).padStart(2, '0')}`
      : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}

/** Controls, invisible formatting, odd line breaks and blanks, halves of pairs. Joiners between pictures stay. */
const odd =
  /[^\P{Cc}\n\t]|(?!(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic}))\p{Cf}|[\p{Zl}\p{Zp}\p{Cs}\u115F\u1160\u3164\uFFA0]/gu;

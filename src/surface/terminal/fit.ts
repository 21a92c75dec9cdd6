import stringWidth from 'string-width';

const parts = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** As much of a line as takes so many columns of a terminal; a character of Chinese or Japanese takes two. */
export function cutTo(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  let used = 1; // The dots.
  for (const { segment } of parts.segment(text)) {
    used += stringWidth(segment);
    if (used > width) break;
    kept += segment;
  }
  return width < 1 ? '' : `${kept}…`;
}

/** The same, filled up with spaces. */
export function fitTo(text: string, width: number): string {
  const cut = cutTo(text, width);
  return cut + ' '.repeat(Math.max(0, width - stringWidth(cut)));
}

/** Of the terminal that is written to; one that does not know its size says 0. */
export function terminalWidth(): number {
  return process.stdout.columns || 80;
}

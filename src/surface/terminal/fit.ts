import stringWidth from 'string-width';

const signs = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** As much of a line as takes so many columns of a terminal; a character of Chinese or Japanese takes two. */
export function cutTo(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  return width < 1 ? '' : `${begin(text, width - 1)}…`;
}

export function fitTo(text: string, width: number): string {
  return pad(cutTo(text, width), width);
}

export function pad(text: string, width: number): string {
  return Number.isFinite(width) ? text + ' '.repeat(Math.max(0, width - stringWidth(text))) : text;
}

function begin(text: string, width: number): string {
  let taken = '';
  let used = 0;
  for (const part of text.split(colour)) {
    // A colour takes no room, though its signs would.
    for (const segment of colour.test(part) ? [part] : [...signs.segment(part)].map((one) => one.segment)) {
      used += stringWidth(segment);
      if (used > width) return taken;
      taken += segment;
    }
  }
  return taken;
}

const colour = new RegExp(`(${String.fromCodePoint(27)}\\[[0-9;]*m)`);

/** Lines of at most that width. Breaks between words; inside of one only where it has no room of its own. */
export function wrap(text: string, width: number): readonly string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, width, false));
}

/** Behind blanks, and between signs of scripts that have none; not before a sign that begins no line in Japanese. */
const breaks =
  /(?<=\s)|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー、。）」])(?![、。，．・：）」』】)\]!?:;,.…ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々\s])/u;

/** An address, a digest or a token is copied, so it stays in one piece: the terminal breaks it without a mark. */
const whole = /^(?:https?:\/\/\S+|[\da-f]{64}\.?|\w{40,})$/;

function wrapLine(text: string, width: number, keepsWhole: boolean): readonly string[] {
  if (stringWidth(text) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(breaks)) {
    if (stringWidth((line + word).trimEnd()) <= width) {
      line += word;
      continue;
    }
    if (line.trim() !== '') lines.push(line.trimEnd());
    line = word;
    while (stringWidth(line.trimEnd()) > width && !(keepsWhole && whole.test(line.trimEnd()))) {
      const head = begin(line, width);
      if (head === '') break; // A single sign that is wider than all there is.
      lines.push(head);
      line = line.slice(head.length);
    }
  }
  if (line.trim() !== '') lines.push(line.trimEnd());
  return lines;
}

/** Fits lines that are laid out already: what is too wide goes on below where its text began. */
export function fitLines(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => {
      if (stringWidth(line) <= width) return [line];
      const lead = [beforeText, beforeWord]
        .map((form) => form.exec(line)?.[0] ?? '')
        .find((one) => stringWidth(one) <= width / 2);
      const indent = stringWidth(lead ?? '');
      return wrapLine(line.slice(lead?.length ?? 0), width - indent, true).map(
        (part, at) => (at === 0 ? (lead ?? '') : ' '.repeat(indent)) + part,
      );
    })
    .join('\n');
}

/** Up to the last gap that is wider than one between words. */
const beforeText = /^.*\s{2,}(?=\S)/;
/** Blanks, and the mark of a list or of a difference. */
const beforeWord = /^\s*(?:[-+✗→•]\s*)?/;

/** The width of a terminal; one that does not know its size says 0. A pipe has none. */
export function widthOf(to: NodeJS.WriteStream): number {
  return to.isTTY ? to.columns || 80 : Number.POSITIVE_INFINITY;
}

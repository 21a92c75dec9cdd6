import stringWidth from 'string-width';

const signs = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** As much of a line as takes so many columns of a terminal; a character of Chinese or Japanese takes two. */
export function cutTo(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  return width < 1 ? '' : `${begin(text, width - 1)}…`;
}

/** The same, filled up with spaces. */
export function fitTo(text: string, width: number): string {
  return pad(cutTo(text, width), width);
}

export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}

/** As much of the beginning as has room. */
function begin(text: string, width: number): string {
  let taken = '';
  let used = 0;
  for (const { segment } of signs.segment(text)) {
    used += stringWidth(segment);
    if (used > width) break;
    taken += segment;
  }
  return taken;
}

/** Lines of at most that width. Breaks between words; inside of one only where it has no room of its own. */
export function wrap(text: string, width: number): readonly string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, width));
}

/** Behind blanks, and between signs of scripts that have none; not before a sign that begins no line in Japanese. */
const breaks =
  /(?<=\s)|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー、。）」])(?![、。，．・：）」』】)\]!?:;,.…ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々\s])/u;

function wrapLine(text: string, width: number): readonly string[] {
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
    while (stringWidth(line.trimEnd()) > width) {
      const head = begin(line, width);
      if (head === '') break; // A single sign that is wider than all there is.
      lines.push(head);
      line = line.slice(head.length);
    }
  }
  if (line.trim() !== '') lines.push(line.trimEnd());
  return lines;
}

/** Of the terminal that is written to; one that does not know its size says 0. */
export function terminalWidth(): number {
  return process.stdout.columns || 80;
}

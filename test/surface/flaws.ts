import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';

/** Whoever splits the screen in two still has so many columns. */
export const narrow = 60;

const wrong: Readonly<Record<string, RegExp>> = {
  'a value that is none': /\bundefined\b|\[object |\bNaN\b|(?<!\/dev\/)\bnull\b/,
  'a stack': /^\s+at .*:\d+:\d+\)?$/m,
  // A path is no use in parts.
  'an id as long as it can be':
    /(?<![\w/.-])(?:[a-z]+[-_])?[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}(?![\w/-])/,
  // What is called with an object is an example, and no value.
  'JSON in a cell': /(?<!\()\{"\w+":/,
};

/** What is copied in one piece may be wider, if nothing else is in the line. */
const copied = /^(?:https?:\/\/\S+|[\da-f]{64}\.?|\w{40,})$/;

/** What a person should not have to see at a terminal of that width. */
export function flawsOf(text: string, width: number = narrow): readonly string[] {
  const plain = stripVTControlCharacters(text);
  const wide = plain
    .split('\n')
    .filter((line) => stringWidth(line) > width && !copied.test(line.trim()))
    .map((line) => `${stringWidth(line)} columns: ${line}`);
  const others = Object.entries(wrong).flatMap(([name, form]) => {
    const found = form.exec(plain)?.[0];
    return found === undefined ? [] : [`${name}: ${found}`];
  });
  return [...wide, ...others];
}

import { expect, test } from 'vitest';
import { escapeControlCharacters } from '../../src/surface/terminal/escape-control-characters.ts';

test.each([
  ['a sequence that clears the screen', '\u001B[2Jgone', '\\x1b[2Jgone'],
  ['a title of the window', '\u001B]0;x\u0007', '\\x1b]0;x\\x07'],
  ['a return that overwrites the line', 'no\rok', 'no\\x0dok'],
  ['backspaces', 'no\b\bok', 'no\\x08\\x08ok'],
  ['the short form of an escape', '\u009B31m', '\\x9b31m'],
  ['text from right to left', 'if (\u202Enimda\u202C)', 'if (<U+202E>nimda<U+202C>)'],
  ['isolates', '\u2066x\u2069', '<U+2066>x<U+2069>'],
  ['letters that nobody sees', 'ap\u200Bprove\uFEFF', 'ap<U+200B>prove<U+FEFF>'],
  ['tags', 'x\u{E0041}', 'x<U+E0041>'],
  ['a blank that passes for nothing', 'x\u3164', 'x<U+3164>'],
  ['a line break that is none', 'a\u2028b', 'a<U+2028>b'],
  ['half a pair', 'a\uD800b', 'a<U+D800>b'],
])('%s is spelled out', (_, given, shown) => {
  expect(escapeControlCharacters(given)).toBe(shown);
});

test('ordinary text stays as it is', () => {
  const text = 'plain\ttext\n日本語 葛\u{E0100} café العربية 👨‍👩‍👧 👩🏽‍🚀 ❤️‍🔥\n';
  expect(escapeControlCharacters(text)).toBe(text);
});

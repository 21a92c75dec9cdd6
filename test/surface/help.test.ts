import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { loadCatalogue } from '../../src/app/catalogue.ts';
import { commandGroups, commands } from '../../src/command/commands.ts';
import { commandHelp, mainHelp } from '../../src/command/frame/help.ts';
import { descriptionIn } from '../../src/kernel/text/described.ts';
import { operationHelp } from '../../src/surface/terminal/operation-help.ts';
import type { Screen } from '../../src/surface/terminal/screen.ts';
import { toolsIn } from './tools-in.ts';

const { operations } = await loadCatalogue();
const loaded = await Promise.all(commands.map(async (one) => [one, await one.load()] as const));

const screen = (lang: 'en' | 'ja', width: number): Screen => ({ lang, width, now: new Date(0) });

function everyPage(on: Screen): readonly (readonly [name: string, text: string])[] {
  return [
    ['help', mainHelp(commandGroups, on)],
    ...loaded.map(([entry, command]) => [entry.name, commandHelp(entry, command, on)] as const),
    ...operations.flatMap((one) =>
      one.toolsets.map((toolset) => [one.name, operationHelp(toolset, one, operations, on)] as const),
    ),
  ];
}

/** English words in a row that are neither typed nor names. */
const english = /\b(?:the|which|what|that|where|with|only|and|its|their|from|default|required|usage|example)\b/i;

test('help speaks Japanese in every line that is not typed', () => {
  for (const [name, text] of everyPage(screen('ja', Number.POSITIVE_INFINITY))) {
    const [first] = text.split('\n');
    expect(first, name).toMatch(/[ぁ-ん].*。$/);
    const spoken = text
      .split('\n')
      .filter((line) => !/^(?: {2}| *)sekisho |^使い方:|^ {8}sekisho/.test(line))
      .map((line) => line.replace(/^ {2}--?\S+(?: \S+)*? {2,}/, ''));
    expect(
      spoken.filter((line) => english.test(line.replaceAll(/\S*_\S*|"[^"]*"/g, ''))),
      name,
    ).toEqual([]);
  }
});

test('help of every command shows its usage and examples', () => {
  const on = screen('en', Number.POSITIVE_INFINITY);
  for (const [entry, command] of loaded) {
    const text = commandHelp(entry, command, on);
    expect(text, entry.name).toContain(`Usage: sekisho ${entry.name}`);
    // The hook’s own entry stays small, and a client calls it, not a person.
    if (entry.name !== 'hook') expect(text, entry.name).toMatch(/Examples:\n {2}\S/);
  }
});

test('help speaks no Japanese in English, but for the name', () => {
  for (const [name, text] of everyPage(screen('en', Number.POSITIVE_INFINITY)))
    expect(text.replace('関所 Sekisho', ''), name).not.toMatch(/[ぁ-んァ-ヶ一-龥]/);
});

test('help speaks of commands, not of tools', () => {
  for (const lang of ['en', 'ja'] as const)
    for (const [name, text] of everyPage(screen(lang, Number.POSITIVE_INFINITY)))
      expect(toolsIn(text, operations), name).toEqual([]);
});

test.for([
  ['en', 60],
  ['ja', 60],
  ['en', 40],
  ['ja', 40],
] as const)('no line of help in %s is wider than %i columns', ([lang, width]) => {
  for (const [name, text] of everyPage(screen(lang, width)))
    expect(
      text.split('\n').filter((line) => stringWidth(line) > width),
      name,
    ).toEqual([]);
});

test('every field that a tool takes is told in both languages, and every summary of a command', () => {
  for (const { name, input } of operations)
    for (const [field, schema] of Object.entries(input.shape)) {
      expect(descriptionIn('en', schema), `${name} ${field}`).toMatch(/\S/);
      expect(descriptionIn('ja', schema), `${name} ${field}`).toMatch(/[ぁ-んァ-ヶ一-龥]/);
    }
  for (const { name, summary } of commands) {
    const { en, ja } = summary;
    expect(en, name).toMatch(/^[A-Z].*[^.]$/);
    expect(ja, name).toMatch(/(?:ます|です|ません)[^。]*$/);
  }
});

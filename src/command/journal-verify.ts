import { verifyAll } from '../app/verify.ts';
import { say, printJson } from '../surface/terminal/print.ts';
import { type Command, exitCode } from './frame/command.ts';
import { withApp } from './frame/with-app.ts';
import type { Fault, Verification } from '../store/verify.ts';
import { style } from '../surface/terminal/style.ts';
import { type Lang, type Sentence, type Words, definePhrases } from '../kernel/text/text.ts';
import * as ja from './ja.ts';
import { words } from './words.ts';

export const journalVerify: Command = {
  options: { head: { type: 'string' } },
  usage: 'sekisho journal verify [--head link]',
  examples: ['sekisho journal verify', { line: 'sekisho journal verify --head 3f2a…', note: words('a saved link') }],
  run: ({ flags, json, options: { head } }) =>
    withApp(flags, async (app) => {
      const { lang } = app.config;
      const found = await verifyAll(app.config, await app.store(), typeof head === 'string' ? head : undefined);
      const ok = found.faultCount === 0 && found.headFound;
      if (json) printJson(answerOf(ok, found, lang));
      else say(sentenceOf(found, String(head), lang));
      return ok ? exitCode.ok : exitCode.refused;
    }),
};

function answerOf(ok: boolean, found: Verification, lang: Lang): object {
  const { entries, rows, head, headFound, faults, faultCount } = found;
  const listed = faults.map((one) => ({ ...one, detail: one.detail[lang] }));
  return { ok, entries, rows, head, head_matches: headFound, faults: listed, fault_count: faultCount };
}

function sentenceOf(found: Verification, asked: string, lang: Lang): string {
  const { faults, faultCount, entries, rows, head } = found;
  if (faultCount > 0)
    return [
      style.red(said.changed()(lang)),
      ...faults.map((one) => `  ${faultText(one)(lang)}`),
      ...(faultCount > faults.length ? [`  ${said.more({ n: faultCount - faults.length })(lang)}`] : []),
      '',
    ].join('\n');
  if (!found.headFound) return `${style.red(said.another()(lang))} ${said.noLink({ link: asked })(lang)}\n`;
  return [
    `${style.green(said.whole()(lang))} ${said.counted({ entries, rows })(lang)}`,
    said.head({ head })(lang),
    style.dim(said.keepIt()(lang)),
    '',
  ].join('\n');
}

function faultText({ table, key, damage, detail }: Fault): Sentence {
  return said.fault({ name: `${table} ${key.join(' ')}`, damage: damages[damage], detail });
}

const damages = { changed: words('changed'), added: words('added'), removed: words('removed') } as const;

export const english = {
  changed: () => 'Not as it was written:',
  fault: ({ name, damage, detail }: { name: string; damage: Words; detail: Words }) =>
    `${name} was ${damage.en} (${detail.en}).`,
  more: ({ n }: { n: number }) => `… and ${n} more.`,
  another: () => 'Another history:',
  noLink: ({ link }: { link: string }) => `no row of the journal has the link ${link}.`,
  whole: () => 'All as it was written:',
  counted: ({ entries, rows }: { entries: number; rows: number }) => `${entries} journal rows, ${rows} rows of tables.`,
  head: ({ head }: { head: string }) => `Head: ${head}`,
  keepIt: () => 'Keep it elsewhere: with --head it proves later that nothing was cut off or rewritten.',
};

const said = definePhrases(english, ja.journalVerify);

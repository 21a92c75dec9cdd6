import { configure } from '../app/configure.ts';
import { readSurroundings } from '../config/load.ts';
import { type JsonObject, isJsonObject } from '../base/json-object.ts';
import type { Lang, Sentence } from '../kernel/text/text.ts';
import { wrap } from '../surface/terminal/fit.ts';
import { escapeControlCharacters } from '../surface/terminal/escape-control-characters.ts';
import { askAtTerminal, askLineAtTerminal } from '../surface/terminal/question.ts';
import { screenOf } from '../surface/terminal/screen.ts';
import { style } from '../surface/terminal/style.ts';
import { type Command, exitCode } from './frame/command.ts';
import { demoFiles, findings, rightFix, wrongFix } from './demo/project.ts';
import { type Stage, openStage } from './demo/stage.ts';
import { demoPhrase as phrase } from './demo/demo-text.ts';

export const demo: Command = {
  options: { yes: { type: 'boolean', short: 'y' } },
  usage: 'sekisho demo [--yes]',
  examples: ['sekisho demo', 'sekisho demo --yes', 'sekisho demo --lang ja'],
  async run({ flags, options }) {
    const around = readSurroundings();
    const { lang } = await configure(flags, around);
    const asks = around.terminal && process.stdout.isTTY && options['yes'] !== true;
    const stage = await openStage(around.env, lang, demoFiles);
    const leave = () => {
      stage.remove();
      process.exit(exitCode.interrupted);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, leave);
    try {
      await play(stage, lang, asks);
    } finally {
      stage.remove();
    }
    tell(phrase.end()(lang), style.bold);
    return exitCode.ok;
  },
};

type Paint = (text: string) => string;

interface Step {
  readonly title: Sentence;
  readonly why: Sentence;
  /** The command line that a person would type for this step. */
  readonly line: string;
  readonly act: () => Promise<void>;
}

async function play(stage: Stage, lang: Lang, asks: boolean): Promise<void> {
  tell(phrase.welcome({ folder: stage.project })(lang));
  tell(phrase.path()(lang), style.bold);
  const runId = String((await stage.agent('start', 'demo'))['run_id']);
  const steps = script(stage, lang, asks, runId);
  for (const [index, { title, why, line, act }] of steps.entries()) {
    if (asks) await askLineAtTerminal('', phrase.goOn({ at: index + 1, of: steps.length })(lang));
    process.stdout.write('\n');
    tell(`${index + 1}. ${title(lang)}`, style.bold);
    tell(why(lang));
    tell(`$ ${line}`, style.cyan);
    await act();
  }
  process.stdout.write('\n');
}

function script(stage: Stage, lang: Lang, asks: boolean, runId: string): readonly Step[] {
  const submit = async (moves: boolean, ...words: readonly string[]) =>
    report(await stage.agent('submit', ...words), moves, lang);
  const edit = async (text: string) => {
    const why = await stage.mayEdit('src/add.mjs');
    if (why !== undefined) return refuse(why, lang);
    tell(phrase.allowed()(lang), style.green);
    stage.write('src/add.mjs', text);
  };
  return [
    { title: phrase.deniedTitle(), why: phrase.denied(), line: 'Edit src/add.mjs', act: () => edit(wrongFix) },
    {
      title: phrase.claimTitle(),
      why: phrase.claim(),
      line: 'sekisho submit looked',
      act: () => submit(false, 'looked'),
    },
    {
      title: phrase.evidenceTitle(),
      why: phrase.evidence(),
      line: 'sekisho submit looked findings.md',
      act: () => {
        stage.write('findings.md', findings[lang]);
        return submit(true, 'looked', 'findings.md');
      },
    },
    {
      title: phrase.failTitle(),
      why: phrase.fail(),
      line: 'Edit src/add.mjs; sekisho submit fixed',
      act: async () => {
        await edit(wrongFix);
        await submit(false, 'fixed');
      },
    },
    {
      title: phrase.fixTitle(),
      why: phrase.fix(),
      line: 'Edit src/add.mjs; sekisho submit fixed',
      act: async () => {
        await edit(rightFix);
        await submit(true, 'fixed');
      },
    },
    {
      title: phrase.selfTitle(),
      why: phrase.self(),
      line: 'sekisho submit approve',
      act: () => submit(false, 'approve'),
    },
    {
      title: phrase.youTitle(),
      why: phrase.you(),
      line: 'sekisho approve',
      act: () => decide(stage, lang, asks, runId),
    },
    {
      title: phrase.proofTitle(),
      why: phrase.proof(),
      line: 'sekisho journal verify',
      act: async () => {
        const { ok, entries } = await stage.agent('journal', 'verify');
        if (ok !== true) throw new Error('the journal of the demo is not sound');
        tell(phrase.sound({ entries: Number(entries) })(lang), style.green);
      },
    },
  ];
}

async function decide(stage: Stage, lang: Lang, asks: boolean, runId: string): Promise<void> {
  const question = phrase.question()(lang);
  const agreed = await stage.approve(runId, async (evidence) => {
    const shown = wrap(escapeControlCharacters(evidence).replaceAll(wholeId, '$1'), screenOf(lang).width).join('\n');
    if (asks) return askAtTerminal(shown, question);
    process.stdout.write(`${shown}\n`);
    tell(`${question} ${phrase.byItself()(lang)}`);
    return true;
  });
  if (agreed) tell(phrase.moved({ from: 'review', to: 'done' })(lang), style.green);
  else tell(phrase.stays()(lang), style.yellow);
}

/** Prints the gate's answer to an event. An unexpected answer is an error: the texts around it would be wrong. */
function report(answer: JsonObject, moves: boolean, lang: Lang): void {
  const { result, message, details } = answer;
  const transition = isJsonObject(result) ? result['transition'] : undefined;
  if (isJsonObject(transition) !== moves)
    throw new Error(`the demo did not go as it should: ${JSON.stringify(answer)}`);
  if (isJsonObject(transition))
    return tell(
      phrase.moved({ from: String(transition['from_state']), to: String(transition['to_state']) })(lang),
      style.green,
    );
  const missing = isJsonObject(details) ? details['missing_guards'] : undefined;
  refuse(String(message), lang);
  if (Array.isArray(missing)) for (const one of missing) tell(`- ${String(one)}`, style.yellow);
}

function refuse(why: string, lang: Lang): void {
  tell(phrase.refused({ why })(lang), style.red);
}

const wholeId = /\b([a-z]+-[0-9a-f]{8}-[0-9a-f]{4})(?:-[0-9a-f]{4}){2}-[0-9a-f]{12}\b/g;

function tell(text: string, paint: Paint = (plain) => plain): void {
  const lines = wrap(escapeControlCharacters(text).replaceAll(wholeId, '$1'), pageWidth());
  process.stdout.write(`${lines.map(paint).join('\n')}\n`);
}

/** The width of the terminal; without one, that of a usual page. */
function pageWidth(): number {
  const { width } = screenOf('en');
  return Number.isFinite(width) ? width : 80;
}

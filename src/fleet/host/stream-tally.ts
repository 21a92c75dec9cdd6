import { textFault } from '../../kernel/json-limits.ts';
import type { Fact, Usage } from '../agent-cli.ts';

/** Facts from an agent's stream so far. */
export interface Tally {
  readonly session: string | undefined;
  readonly model: string | undefined;
  readonly toolCalls: number;
  readonly created: readonly string[];
  readonly edited: readonly string[];
  readonly denials: readonly string[];
  readonly usage: Usage | undefined;
  /** The agent's answer: the one marked as such, else its last message. */
  readonly answer: string | undefined;
  readonly named: boolean;
  /** The last lines of plain output. */
  readonly lines: readonly string[];
  readonly error: string | undefined;
  readonly ended: boolean;
  /** One line about the current activity, for people who watch. */
  readonly activity: string | undefined;
  /** The tool it used last, until it says something. */
  readonly tool: string | undefined;
}

export const emptyTally: Tally = {
  session: undefined,
  model: undefined,
  toolCalls: 0,
  created: [],
  edited: [],
  denials: [],
  usage: undefined,
  answer: undefined,
  named: false,
  lines: [],
  error: undefined,
  ended: false,
  activity: undefined,
  tool: undefined,
};

const longestActivity = 200;
const keptLines = 40;

/** Limits on what is kept of long lists, because other people can influence what an agent prints. */
const mostFacts = 10_000;
const mostFiles = 2000;
const mostDenials = 100;

/** Adds the facts of one line. */
export function addFacts(tally: Tally, facts: readonly Fact[]): Tally {
  return facts.slice(-mostFacts).reduce(addFact, tally);
}

/** Replaces characters that one of the databases cannot store. */
export function replaceInvalidText(text: string): string {
  return textFault(text) === undefined ? text : text.replaceAll('\0', '\u{FFFD}').toWellFormed();
}

function replaceInvalidTexts(fact: Fact): Fact {
  const valid = (value: unknown) => (typeof value === 'string' ? replaceInvalidText(value) : value);
  return Object.fromEntries(Object.entries(fact).map(([key, value]) => [key, valid(value)])) as Fact;
}

export function addFact(tally: Tally, given: Fact): Tally {
  const fact = replaceInvalidTexts(given);
  switch (fact.kind) {
    case 'session':
      return { ...tally, session: fact.id };
    case 'model':
      return { ...tally, model: fact.model };
    case 'tool':
      return { ...tally, toolCalls: tally.toolCalls + 1, activity: fact.name, tool: fact.name };
    case 'file':
      return addFile(tally, fact.path, fact.change);
    case 'denied':
      return tally.denials.length < mostDenials ? { ...tally, denials: [...tally.denials, fact.tool] } : tally;
    case 'text':
      return { ...tally, activity: fact.text, tool: undefined, ...(!tally.named && { answer: fact.text }) };
    case 'answer':
      // A run that continued after an error ended well.
      return { ...tally, answer: fact.text, named: true, error: undefined, activity: fact.text, tool: undefined };
    case 'line':
      return { ...tally, lines: [...tally.lines.slice(1 - keptLines), fact.text], activity: fact.text };
    case 'error':
      return { ...tally, error: fact.message, activity: fact.message };
    case 'usage':
      return { ...tally, usage: fact.step === true ? sum(tally.usage, fact.usage) : fact.usage };
    case 'end':
      return { ...tally, ended: true, tool: undefined };
  }
}

function addFile(tally: Tally, path: string, change: 'created' | 'edited' | 'deleted'): Tally {
  const { created, edited } = tally;
  if (change === 'deleted')
    return created.includes(path)
      ? { ...tally, created: created.filter((one) => one !== path) }
      : { ...tally, edited: withOne(edited, path) };
  // A file that the agent created and then edited counts as created.
  if (created.includes(path)) return tally;
  return change === 'created'
    ? { ...tally, created: withOne(created, path), edited: edited.filter((one) => one !== path) }
    : { ...tally, edited: withOne(edited, path) };
}

function withOne(paths: readonly string[], path: string): readonly string[] {
  return paths.length >= mostFiles || paths.includes(path) ? paths : [...paths, path];
}

function sum(before: Usage | undefined, step: Usage): Usage {
  const total: Record<string, number> = { ...before };
  for (const [key, value] of Object.entries(step)) total[key] = Number(((total[key] ?? 0) + value).toFixed(9));
  return total;
}

/** Returns the agent's last words. */
export function summaryOf(tally: Tally): string {
  return tally.answer ?? tally.lines.join('\n');
}

export function uniqueItems(items: readonly string[]): readonly string[] {
  return [...new Set(items)];
}

export function shorten(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length <= longestActivity ? line : `${line.slice(0, longestActivity - 1)}…`;
}

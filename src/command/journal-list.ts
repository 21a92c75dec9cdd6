import type { App } from '../app/application.ts';
import { type Command, type Invocation, exitCode } from './frame/command.ts';
import { expandId } from '../app/short-id.ts';
import { journalQuery } from '../kernel/store/journal.ts';
import { problem } from '../kernel/problem.ts';
import type { Row } from '../kernel/store/store.ts';
import { parsed } from '../kernel/store/row.ts';
import { printJson } from '../surface/terminal/print.ts';
import { renderLog } from '../surface/terminal/log.ts';
import { screenFor, withApp } from './frame/with-app.ts';
import { isTaskNumber, resolveTaskId } from '../work/task/reference.ts';
import { words } from './words.ts';

const defaultLimit = 50;
const mostEntries = 1000;
const ownId = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const options = {
  limit: { type: 'string' },
  after: { type: 'string' },
  subject: { type: 'string' },
  kind: { type: 'string' },
} as const;

export const journalList: Command = {
  options,
  usage: 'sekisho journal list [--subject run-…] [--kind notify.] [--after seq] [--limit 50]',
  examples: [
    'sekisho journal list',
    'sekisho journal list --subject run-… --json',
    { line: 'sekisho journal list --kind notify.', note: words('only kinds with this prefix') },
  ],
  run: (line) => list(journalList, line, line.options['subject'] ?? line.flags.runId),
};

export const log: Command = {
  options,
  usage: 'sekisho log [run or task] [--kind run.] [--limit 50]',
  examples: ['sekisho log', 'sekisho log run-01a1e2ae', 'sekisho log 12'],
  run: (line) => list(log, line, line.positionals[0] ?? line.options['subject'] ?? line.flags.runId),
};

async function list(command: Command, { flags, json, options: given }: Invocation, named: unknown): Promise<number> {
  const limit = Math.min(mostEntries, whole(command, given['limit'], 1) ?? defaultLimit);
  const after = whole(command, given['after'], 0);
  const forward = after !== undefined;
  return withApp(flags, async (app) => {
    const store = await app.store();
    const subject = typeof named === 'string' ? await subjectOf(app, named) : undefined;
    // A subject with a unique id may appear in several projects; a file or a server name means this project's own.
    const project = subject !== undefined && ownId.test(subject) ? undefined : app.config.project.key;
    const [rows = []] = await store.read([
      journalQuery({
        limit,
        project,
        subject,
        ...(typeof given['kind'] === 'string' && { kindPrefix: given['kind'] }),
        ...(forward && { after }),
      }),
    ]);
    const entries = (forward ? rows : rows.toReversed()).map((row: Row) => ({ ...row, data: parsed(row, 'data') }));
    const last = entries.at(-1) as { seq?: number } | undefined;
    if (json) printJson({ entries, ...(forward && entries.length === limit && { next_after: last?.seq }) });
    else process.stdout.write(renderLog(entries, await screenFor(app, entries)));
    return exitCode.ok;
  });
}

/** The id that a person means: the beginning of a run's id, or a task's number. */
async function subjectOf(app: App, named: string): Promise<string> {
  if (isTaskNumber(named)) return resolveTaskId(await app.context({}), named);
  return expandId(() => app.store(), named, 'run-');
}

function whole(command: Command, given: Invocation['options'][string], least: number): number | undefined {
  if (given === undefined) return undefined;
  const value = typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : Number.NaN;
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw problem.WRONG_USE(command);
}

import type { Context } from '../kernel/context.ts';
import { journalQuery } from '../kernel/store/journal.ts';
import type { LiveEvent, LiveSource } from '../kernel/live-source.ts';
import { text, readRows } from '../kernel/store/row.ts';
import type { Recorded, Row } from '../kernel/store/store.ts';
import { completeEvent, reportEvent } from './plan/plan.ts';

const recentLimit = 50;

/** The live events of a project's phases: transitions, served prompts, checkpoints, published prompts. */
export const phaseLive: LiveSource = {
  async recent(context) {
    const run = await runOf(context);
    if (run === undefined) return [];
    const [rows = []] = await context.store.read([journalQuery({ subject: run, limit: recentLimit })]);
    return rows.toReversed().flatMap((row) => toLiveEvent(toRecorded(row), run) ?? []);
  },
  async tell(context, entry) {
    if (entry.project !== context.project.key) return undefined;
    if (entry.kind.startsWith('prompt.')) return eventOf(entry, entry.kind.replace('.', ':'), {});
    const ours = entry.kind.startsWith('phase.') || entry.kind === 'run.event';
    const run = ours ? await runOf(context) : undefined;
    return run === entry.subject ? toLiveEvent(entry, run) : undefined;
  },
};

async function runOf({ store, project }: Context): Promise<string | undefined> {
  const [row] = await readRows(store, 'select run_id from phase_plan where project = :project', {
    project: project.key,
  });
  return row === undefined ? undefined : text(row, 'run_id');
}

function toLiveEvent(entry: Recorded, runId: string): LiveEvent | undefined {
  if (entry.kind.startsWith('phase.')) return eventOf(entry, entry.kind.replace('.', ':'), { runId });
  if (entry.kind !== 'run.event') return undefined;
  const { event, from, to, final } = JSON.parse(entry.data) as Readonly<Record<string, unknown>>;
  if (event !== completeEvent && event !== reportEvent) return undefined;
  const data = { runId, phase: from, completed: from !== to, nextPhase: final === true ? null : to };
  return { type: 'phase:transition', cursor: entry.seq, timestamp: entry.at, data };
}

function eventOf(entry: Recorded, type: string, more: Readonly<Record<string, unknown>>): LiveEvent {
  const data = { ...more, subject: entry.subject, ...(JSON.parse(entry.data) as object) };
  return { type, cursor: entry.seq, timestamp: entry.at, data };
}

function toRecorded(row: Row): Recorded {
  return {
    seq: Number(row['seq']),
    project: text(row, 'project'),
    at: text(row, 'at'),
    actor: text(row, 'actor'),
    subject: text(row, 'subject'),
    kind: text(row, 'kind'),
    data: text(row, 'data'),
  };
}

import type { Context, Project } from '../../kernel/context.ts';
import { actorName, entry } from '../../kernel/store/journal.ts';
import { problem as kernelProblem } from '../../kernel/problem.ts';
import { again, retry } from '../../kernel/store/retry.ts';
import type { Query, Row, Write } from '../../kernel/store/store.ts';
import { parsed, text, readRows } from '../../kernel/store/row.ts';
import {
  enteredQuery,
  giveUpWrites,
  pastEventsQuery,
  runStatusOf,
  runPositionQuery,
  startRun,
  treeOf,
} from '../../gate/index.ts';
import { completeEvent, planOf, reportEvent } from './plan.ts';

/** The position of a project in its phases: the state of its run at the gate. */
export type PhaseStanding = Readonly<ReturnType<typeof toStanding>>;

function phaseRunQuery(project: string): Query {
  return runPositionQuery({ sql: 'select run_id from phase_plan where project = :project', args: { project } });
}

/** Reads the project's position and the rows of further queries. Starts the run if there is none. */
export async function readStanding(
  context: Context,
  beside: readonly Query[] = [],
): Promise<{ standing: PhaseStanding; isBegun: boolean; rows: readonly (readonly Row[])[] }> {
  const plan = planOf(context);
  return retry(
    async () => {
      const { key } = context.project;
      const [found = [], saved = [], ...rows] = await context.store.read([
        phaseRunQuery(key),
        savedQuery(key),
        ...beside,
      ]);
      const standing = found[0] === undefined ? undefined : toStanding(found[0], context.project);
      // A run with results or checkpoints (`isBegun`) keeps its plan; an untouched one is replaced when the plan changes.
      const isBegun = saved.length > 0 || (standing?.revision ?? 0) > 0;
      if (standing !== undefined && (standing.plan === plan.digest || isBegun)) return { standing, isBegun, rows };
      await begin(context, standing, standing === undefined ? [] : noCheckpointWrites(key, standing.runId));
      return again;
    },
    () => kernelProblem.STORE_BUSY({ what: context.project.key }),
  );
}

/** Starts a run in place of `instead`. False if another process was faster or one of the `checked` writes conflicts. */
export async function begin(
  context: Context,
  instead: PhaseStanding | undefined,
  checked: readonly Write[] = [],
): Promise<boolean> {
  const { definition, digest, binds } = planOf(context);
  const { key, tree } = context.project;
  const started = await startRun(context, {
    definition,
    digest,
    file: 'phases',
    context: { projectPath: tree },
    binds: binds ? 'tree' : 'nobody',
  });
  const args = { project: key, run: started.id };
  const outcome = await context.store.commit(
    [
      ...checked,
      ...started.writes,
      ...(instead === undefined
        ? [{ sql: 'insert into phase_plan (project, run_id) values (:project, :run)', args, rows: 1 }]
        : [
            {
              sql: 'update phase_plan set run_id = :run where project = :project and run_id = :before',
              args: { ...args, before: instead.runId },
              rows: 1,
            },
            ...giveUpWrites(key, instead.runId, binds ? started.id : undefined),
          ]),
    ],
    [started.entry],
  );
  return outcome.done;
}

function savedQuery(project: string): Query {
  return {
    sql: `select 1 as one from phase_checkpoint where run_id in (select run_id from phase_plan where project = :project) limit 1`,
    args: { project },
  };
}

/** Locks the project's run until the commit ends. A conflict if it was replaced. */
function sameRunWrite(project: string, runId: string): Write {
  return {
    sql: 'update phase_plan set run_id = run_id where project = :project and run_id = :run',
    args: { project, run: runId },
    rows: 1,
  };
}

/** A conflict if the run has checkpoints. Saving one takes the same lock first, so the second write sees all of them. */
function noCheckpointWrites(project: string, runId: string): readonly Write[] {
  const lock = sameRunWrite(project, runId);
  return [lock, { ...lock, sql: `${lock.sql} and not exists (select 1 from phase_checkpoint where run_id = :run)` }];
}

/** A saved checkpoint with all fields that the caller passed. */
type Saved = Result & { readonly checkpoint: string; readonly data: Result };

export async function saveCheckpoint(context: Context, phase: string, result: Saved): Promise<string> {
  return retry(
    async () => {
      const { standing } = await readStanding(context);
      const rows = await readRows(context.store, 'select max(n) as n from phase_checkpoint where run_id = :run', {
        run: standing.runId,
      });
      const at = context.now().toISOString();
      const outcome = await context.store.commit(
        [
          sameRunWrite(context.project.key, standing.runId),
          {
            sql: `insert into phase_checkpoint (run_id, n, phase, revision, result, actor, at)
              values (:run, :n, :phase, :revision, :result, :actor, :at)`,
            args: {
              run: standing.runId,
              n: Number(rows[0]?.['n'] ?? 0) + 1,
              phase,
              revision: standing.revision,
              result: JSON.stringify(result),
              actor: actorName(context.actor),
              at,
            },
            rows: 1,
          },
        ],
        [entry(context, standing.runId, 'phase.checkpoint', { phase, checkpoint: result.checkpoint })],
      );
      return outcome.done ? at : again;
    },
    () => kernelProblem.STORE_BUSY({ what: phase }),
  );
}

type Result = Readonly<Record<string, unknown>>;
type PhaseStatus = 'pending' | 'in_progress' | 'completed' | 'failed';

const resultEvents = [reportEvent, completeEvent];

/** Reports whether an event has a result: a completion that did not leave the phase only brought evidence. */
function isResult(event: Row): boolean {
  return event['name'] === reportEvent || event['to_state'] !== event['from_state'];
}

/** Reads one phase. The results of transitions are events of the run; checkpoints have a table of their own. */
export async function readPhase(context: Context, phase: string) {
  const { standing } = await readStanding(context);
  const [emitted = [], entered = [], checkpoints = []] = await context.store.read([
    pastEventsQuery(standing.runId, resultEvents, phase),
    enteredQuery(standing.runId, phase),
    {
      sql: 'select result, revision from phase_checkpoint where run_id = :run and phase = :phase order by n',
      args: { run: standing.runId, phase },
    },
  ]);
  const events = emitted.filter(isResult);
  const results = events.map((row) => parsed(row, 'payload') as Result);
  const saved = checkpoints.map((row) => parsed(row, 'result') as Saved);
  const last = events.at(-1);
  // A checkpoint with the event's revision was saved after the event.
  const checkpointIsLast =
    checkpoints.length > 0 &&
    (last === undefined || Number(checkpoints.at(-1)?.['revision']) >= Number(last['revision']));
  const completed = standing.completed.includes(phase);
  const current = standing.state === phase;
  const failed = standing.status === 'aborted' || (!checkpointIsLast && results.at(-1)?.['status'] === 'failed');
  const ongoing = failed ? 'failed' : 'in_progress';
  const status: PhaseStatus = completed ? 'completed' : current ? ongoing : 'pending';
  const isFirst = entered.length === 0 && (completed || current);
  return {
    standing,
    record: {
      phase,
      status,
      startedAt: isFirst ? standing.createdAt : entered[0] === undefined ? null : String(entered[0]['at']),
      completedAt: completed ? String(last?.['at'] ?? standing.createdAt) : null,
      result: (checkpointIsLast ? saved.at(-1) : results.at(-1)) ?? null,
      outputFiles: [
        ...new Set([...results.flatMap(filesOf), ...saved.flatMap((one) => [...filesOf(one), ...filesOf(one.data)])]),
      ],
    },
  };
}

function filesOf(result: Result): readonly string[] {
  const files = result['outputFiles'];
  return Array.isArray(files) ? files.filter((one) => typeof one === 'string') : [];
}

/** Reads the checkpoints of a phase, newest last; `before` pages back. */
export async function readCheckpoints(context: Context, runId: string, phase: string, before: number, limit: number) {
  const rows = await readRows(
    context.store,
    `select n, result, at from phase_checkpoint where run_id = :run and phase = :phase and n < :before
        order by n desc limit :limit`,
    { run: runId, phase, before, limit: limit + 1 },
  );
  const page = rows.slice(0, limit);
  return {
    checkpoints: page.toReversed().map((row) => ({ ...(parsed(row, 'result') as Saved), savedAt: text(row, 'at') })),
    older: rows.length > limit ? Number(page.at(-1)?.['n']) : undefined,
  };
}

export async function readResults(context: Context, runId: string): Promise<Readonly<Record<string, Result>>> {
  const [rows = []] = await context.store.read([pastEventsQuery(runId, resultEvents)]);
  return Object.fromEntries(
    rows.filter(isResult).map((row) => [text(row, 'from_state'), parsed(row, 'payload') as Result]),
  );
}

function toStanding(row: Row, project: Project) {
  return {
    runId: text(row, 'id'),
    /** The phase in progress, or the final state. */
    state: text(row, 'state'),
    revision: Number(row['revision']),
    status: runStatusOf(row),
    completed: parsed(row, 'visited') as readonly string[],
    createdAt: text(row, 'created_at'),
    /** The working tree of its output files. */
    tree: treeOf(row['tree'], project),
    /** Digest of the plan that the run began with. */
    plan: text(row, 'definition'),
  };
}

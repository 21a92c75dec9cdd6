import type { Context } from '../../kernel/context.ts';
import { isOfStore, isProblem } from '../../kernel/problem.ts';
import { journalQuery } from '../../kernel/store/journal.ts';
import { text } from '../../kernel/store/row.ts';
import type { Query, Row } from '../../kernel/store/store.ts';
import { gateActor } from './approver.ts';
import { checkoutOf } from './checkout.ts';
import { emit } from './emit.ts';

const lookMs = 3000;

/**
 * Decides answers that people gave where the files of a run are not: such an answer is recorded, but guards that look at files
 * can be evaluated only here. A daemon or Runner of this checkout calls this. Returns a function that stops it.
 */
export function keepDecisions(context: Context): () => void {
  const stopping = new AbortController();
  const signal = AbortSignal.any([context.signal, stopping.signal]);
  const look = createDecider();
  let busy = false;
  const timer = setInterval(() => {
    if (busy || signal.aborted) return; // A guard may run the tests of the project.
    busy = true;
    look({ ...context, signal })
      .catch((error: unknown) => {
        if (!signal.aborted) context.log.warn('could not decide recorded answers', { reason: String(error) });
      })
      .finally(() => (busy = false));
  }, lookMs).unref();
  return () => {
    clearInterval(timer);
    stopping.abort();
  };
}

/** Creates a function that decides each answer once: if a guard refuses it here too, the next event decides, as ever. */
export function createDecider(): (context: Context) => Promise<void> {
  let head = -1;
  let decided: ReadonlySet<string> = new Set();
  return async (context) => {
    const now = await context.store.head();
    if (now === head) return;
    const [rows = []] = await context.store.read([recordedAnswers(context)]);
    const known = new Set<string>();
    for (const row of rows) {
      const id = text(row, 'id');
      if (!decided.has(id) && (await isFromElsewhere(context, row))) await decideAnswer(context, row);
      known.add(id);
    }
    decided = known;
    head = now;
  };
}

/** Selects the newest events of open runs of this checkout that are answers and did not move their run. */
function recordedAnswers({ project }: Pick<Context, 'project'>): Query {
  return {
    sql: `select event.id as id, event.run_id as run, event.revision as revision, event.name as name, event.role as role,
        event.payload as payload
      from run join event on event.run_id = run.id and event.revision = run.revision
      where run.project = :project and run.checkout = :checkout and run.is_final = 0
        and event.evidence is not null and event.from_state = event.to_state`,
    args: { project: project.key, checkout: checkoutOf(project) },
  };
}

async function isFromElsewhere({ store }: Context, row: Row): Promise<boolean> {
  const [entries = []] = await store.read([
    journalQuery({ subject: text(row, 'run'), kinds: ['run.event'], limit: 1 }),
  ]);
  const [newest] = entries.map((one) => JSON.parse(text(one, 'data')) as Readonly<Record<string, unknown>>);
  return newest?.['event_id'] === row['id'] && newest?.['elsewhere'] === true;
}

/** Emits the same event as the gate. The store lets one of several processes win; the others get its answer. */
async function decideAnswer(context: Context, row: Row): Promise<void> {
  const revision = Number(row['revision']);
  const actor = { role: 'system', id: gateActor, verified: true, person: false };
  try {
    await emit(
      { ...context, actor },
      {
        runId: text(row, 'run'),
        event: text(row, 'name'),
        payload: JSON.parse(text(row, 'payload')) as Record<string, unknown>,
        expectedRevision: revision,
        key: `${gateActor}-${revision}`,
        paths: [],
        answeredAs: text(row, 'role'),
      },
    );
  } catch (error) {
    // A guard is not satisfied here either, or an event came in between.
    if (!isProblem(error) || isOfStore(error)) throw error;
  }
}

import type { Context } from '../../kernel/context.ts';
import type { Problem } from '../../kernel/problem.ts';
import { text } from '../../kernel/store/row.ts';
import type { Query, Write } from '../../kernel/store/store.ts';
import { phrase, problem } from '../problem.ts';

/** The reason why no agents start, and the time since when. */
export interface Pause {
  readonly reason: 'restored';
  readonly at: string;
}

/** A pause applies to the whole store. */
const scope = '*';

const pauseQuery: Query = { sql: 'select reason, at from fleet_pause where scope = :scope', args: { scope } };

export async function readPause({ store }: Pick<Context, 'store'>): Promise<Pause | undefined> {
  const [[row] = []] = await store.read([pauseQuery]);
  return row === undefined ? undefined : { reason: 'restored', at: text(row, 'at') };
}

export function pausedProblem({ at }: Pause): Problem {
  return problem.AGENTS_PAUSED({ why: phrase.pauseRestored({ at }) });
}

/** Throws if agents are paused. Every operation that starts an agent calls this first. */
export async function refusePaused(context: Pick<Context, 'store'>): Promise<void> {
  const pause = await readPause(context);
  if (pause !== undefined) throw pausedProblem(pause);
}

export function pauseWrite(reason: Pause['reason'], at: string): Write {
  return {
    sql: `insert into fleet_pause (scope, reason, at) values (:scope, :reason, :at)
      on conflict (scope) do update set reason = excluded.reason, at = excluded.at`,
    args: { scope, reason, at },
  };
}

/** Builds the write that ends exactly the pause that a person was shown. */
export function resumeWrite({ at }: Pause): Write {
  return { sql: 'delete from fleet_pause where scope = :scope and at = :at', args: { scope, at }, rows: 1 };
}

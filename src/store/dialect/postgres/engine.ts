import { performance } from 'node:perf_hooks';
import pg from 'pg';
import type { Entry, CommitOutcome, Query, Recorded, Row, Write } from '../../../kernel/store/store.ts';
import { saltEntry } from '../../chain.ts';
import type { Engine, Opening } from '../../engine.ts';
import { afterSql, staleEpochProblem, headQuery } from '../../schema.ts';
import { createTargets } from '../../write-target.ts';
import { codeOf, isDuplicate, isLost, isTransient, withoutSecrets } from './failure.ts';
import { diskProblem, unavailableProblem } from '../../unavailable.ts';
import { createClock } from './clock.ts';
import { createHints } from './hints.ts';
import { greetServer, makeTables, refusePooler } from './schema.ts';
import { createStatements, EPOCH_PASSED, lineOf, MISSED, type Statement, type Statements } from './statements.ts';
import { rowsOf, types } from './types.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const ANSWER_TIMEOUT_MS = 30_000;
const HALF_WAY_TIMEOUT_MS = 10_000;
const MOST_TRIES = 6;
/** The code for a full notification queue. Other limits have it too: then the next try fails in the same way. */
const NO_ROOM_TO_NOTIFY = '54000';

// A client that disappears must not keep the journal's counter locked until TCP notices, which can take hours.
const beginWriting = `begin isolation level read committed; set local idle_in_transaction_session_timeout = ${HALF_WAY_TIMEOUT_MS}`;
// The server takes a second to detect a deadlock, and victims that just try again run into the next one: so they queue up.
const beginAgain = `${beginWriting}; select pg_advisory_xact_lock(1397445449)`;

/** Opens the database. Without `opening` nothing is created or migrated. */
export async function openEngine(url: string, opening?: Opening): Promise<Engine> {
  const location = withoutSecrets(url);
  const pool = openPool(url, location);
  const statements = createStatements(createTargets(opening?.tables ?? []));
  const hints = createHints(url);
  const clock = createClock();

  async function read(queries: readonly Query[]): Promise<readonly (readonly Row[])[]> {
    const ask = async (): Promise<readonly (readonly Row[])[]> => {
      const time = clock.question();
      if (time === undefined) return readSnapshot(pool, statements, queries);
      const asked = performance.now();
      const answers = await readSnapshot(pool, statements, [...queries, time]);
      clock.answered(Number(answers.at(-1)?.[0]?.['ms']), asked);
      return answers.slice(0, -1);
    };
    try {
      // A pooled connection can have died unnoticed; a second read does no harm.
      return await ask().catch((error: unknown) => (isLost(error) ? ask() : Promise.reject(error)));
    } catch (error) {
      throw isLost(error) ? unavailableProblem(location, error) : (diskProblem(location, error) ?? error);
    }
  }

  async function commit(writes: readonly Write[], journal: readonly Entry[]): Promise<CommitOutcome> {
    // A read can be repeated if its connection has died unnoticed, a commit cannot. So a read goes first if the clock is due too.
    if (clock.question() !== undefined) await read([]);
    const lines = journal.map(saltEntry).map(lineOf);
    let sender: string | null = hints.self;
    for (let tries = 1; ; tries += 1) {
      const end = lines.length > 0 ? statements.recording(lines, sender, epoch) : statements.touching(sender, epoch);
      const batch = [...writes.map((write) => statements.writing(write)), end];
      try {
        const outcome = await commitBatch(pool, batch, tries === 1 ? beginWriting : beginAgain);
        if (outcome.done) hints.send();
        return outcome;
      } catch (error) {
        if (isLost(error))
          throw unavailableProblem(location, error, {
            en: 'no confirmation came, so the change may or may not be there; read before trying again: ',
            ja: '確認が届かなかったため、変更が反映されたか分かりません。読み直してからやり直してください: ',
          });
        // Writes that missed are conflicts, so a miss is that of the last statement of a touch.
        if (codeOf(error) === EPOCH_PASSED || codeOf(error) === MISSED) throw staleEpochProblem(location);
        // A listener that does not read has filled the notification queue. Without a notification, followers poll.
        const isFull = sender !== null && codeOf(error) === NO_ROOM_TO_NOTIFY;
        if (isFull) sender = null;
        else if (!isTransient(error) || tries >= MOST_TRIES) throw diskProblem(location, error) ?? error;
      }
    }
  }

  let epoch = 0;
  try {
    const asked = performance.now();
    clock.answered(await greetServer(pool, location), asked);
    await refusePooler(pool, location);
    await makeTables(pool, url, location, opening);
    epoch = Number((await pool.query<Row>(headQuery.sql)).rows[0]?.['epoch']);
  } catch (error) {
    await pool.end();
    throw unavailableProblem(location, error);
  }

  return {
    location,
    read,
    commit,
    writePresence: async (query) => void (await send(pool, statements.of(query))),
    after: async (seq, limit) => (await read([{ sql: afterSql, args: { seq, limit } }]))[0] as unknown as Recorded[],
    head: async () => Number((await read([headQuery]))[0]?.[0]?.['seq']),
    now: () => clock.now(),
    watch: (hint) => hints.watch(hint),
    close: () => pool.end(),
  };
}

function openPool(url: string, location: string): pg.Pool {
  try {
    const pool = new pg.Pool({
      connectionString: url,
      pipeline: true,
      types,
      min: 1,
      max: 10,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      allowExitOnIdle: true,
    });
    // A connection that breaks, idle or in use, must not end the process: its queries reject, and the pool replaces it.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    return pool;
  } catch (error) {
    throw unavailableProblem(location, error);
  }
}

/** Reads in one snapshot. One statement is one snapshot, and is cheaper for driver and server than several in a transaction. */
async function readSnapshot(
  pool: pg.Pool,
  statements: Statements,
  queries: readonly Query[],
): Promise<readonly (readonly Row[])[]> {
  const [first] = queries;
  if (first === undefined) return [];
  if (queries.length === 1) return [(await send(pool, statements.of(first))).rows];
  const { rows } = await send(pool, statements.reading(queries));
  return queries.map((_query, index) => rowsOf(rows[0]?.[`r${index}`]));
}

async function send(pool: pg.Pool, { values, ...one }: Statement): Promise<pg.QueryResult<Row>> {
  const client = await pool.connect();
  try {
    const answer = await client.query<Row>({ ...one, values: [...values] });
    client.release();
    return answer;
  } catch (error) {
    // The pool itself would discard the connection after every error.
    client.release(isLost(error));
    throw error;
  }
}

async function commitBatch(pool: pg.Pool, batch: readonly Statement[], begin: string): Promise<CommitOutcome> {
  const answers = await transact(pool, batch, begin);
  const failed = answers.findIndex(({ status }) => status === 'rejected');
  const failure = answers[failed];
  if (failure?.status === 'rejected') {
    const write = failed < batch.length - 1;
    if (write && (codeOf(failure.reason) === MISSED || isDuplicate(failure.reason)))
      return { done: false, conflict: failed };
    throw failure.reason;
  }
  const last = answers.at(-1);
  return { done: true, seq: last?.status === 'fulfilled' ? Number(last.value.rows[0]?.['seq']) : Number.NaN };
}

type EngineAnswer = PromiseSettledResult<pg.QueryResult<Row>>;

/**
 * Sends the whole transaction before the first answer arrives. After a failure the server refuses the rest and turns our commit
 * into a rollback, so the first rejected answer is the cause.
 */
async function transact(pool: pg.Pool, batch: readonly Statement[], begin: string): Promise<readonly EngineAnswer[]> {
  const client = await pool.connect();
  // One packet, so that the server wakes up once.
  const { stream } = client.connection;
  stream.cork();
  const opening = client.query(begin);
  const asked = batch.map((one) => client.query<Row>({ ...one, values: [...one.values] }));
  const closing = client.query('commit');
  stream.uncork();
  const [frame, answers] = await Promise.all([Promise.allSettled([opening, closing]), Promise.allSettled(asked)]);
  const rejected = [...frame, ...answers].filter((answer) => answer.status === 'rejected');
  const broken = rejected.find(({ reason }) => isLost(reason));
  client.release(broken !== undefined);
  // A lost connection takes precedence over all answers before it: the commit was not confirmed.
  if (broken) throw broken.reason;
  for (const answer of frame) if (answer.status === 'rejected') throw answer.reason;
  const ended = frame[1].status === 'fulfilled' ? frame[1].value.command : undefined;
  if (rejected.length === 0 && ended !== 'COMMIT') throw new Error(`The server answered the commit with ${ended}`);
  return answers;
}

import { performance } from 'node:perf_hooks';
import pg from 'pg';
import type { Entry, Outcome, Query, Recorded, Row, Write } from '../../../kernel/store.ts';
import type { Table } from '../../../kernel/table.ts';
import { leafStart, seal } from '../../chain.ts';
import type { Engine } from '../../engine.ts';
import { afterSql, headQuery } from '../../schema.ts';
import { createTargets } from '../../touched.ts';
import { codeOf, isDuplicate, isLost, isTransient, withoutSecrets } from './failure.ts';
import { diskProblem, unavailable } from '../../unavailable.ts';
import { createClock } from './clock.ts';
import { createHints } from './hints.ts';
import { greetServer, makeTables } from './schema.ts';
import { createStatements, MISSED, type Statement } from './statements.ts';
import { types } from './types.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const ANSWER_TIMEOUT_MS = 30_000;
const HALF_WAY_TIMEOUT_MS = 10_000;
const MOST_TRIES = 6;

const beginWriting = 'begin isolation level read committed';
// Finding a deadlock takes the server a second, and victims that simply try again meet in the next: they queue up instead.
const beginAgain = `${beginWriting}; select pg_advisory_xact_lock(1397445449)`;
const beginReading = 'begin isolation level repeatable read read only';

const record = 'select sekisho_record($1, $2, $3, $4, $5, $6, $7, $8) as seq';

export async function openEngine(url: string, tables: readonly Table[] | undefined): Promise<Engine> {
  const location = withoutSecrets(url);
  const pool = openPool(url, location);
  const statements = createStatements(createTargets(tables ?? []));
  const hints = createHints(pool, url);
  const clock = createClock();

  async function read(queries: readonly Query[]): Promise<readonly (readonly Row[])[]> {
    const prepared = queries.map((query) => statements.of(query));
    const ask = async (): Promise<readonly (readonly Row[])[]> => {
      const time = clock.question();
      if (time === undefined || prepared.length === 0) return readSnapshot(pool, prepared);
      const asked = performance.now();
      const answers = await readSnapshot(pool, [...prepared, time]);
      clock.answered(Number(answers.at(-1)?.[0]?.['ms']), asked);
      return answers.slice(0, -1);
    };
    try {
      // A pooled connection may have died unnoticed; reading once more harms nobody.
      return await ask().catch((error: unknown) => (isLost(error) ? ask() : Promise.reject(error)));
    } catch (error) {
      throw isLost(error) ? unavailable(location, error) : (diskProblem(location, error) ?? error);
    }
  }

  async function commit(writes: readonly Write[], journal: readonly Entry[]): Promise<Outcome> {
    const prepared = [...writes.map((write) => statements.writing(write)), recording(journal)];
    for (let tries = 1; ; tries += 1) {
      try {
        const outcome = await commitBatch(pool, prepared, tries === 1 ? beginWriting : beginAgain);
        if (outcome.done) hints.send();
        return outcome;
      } catch (error) {
        if (isLost(error))
          throw unavailable(
            location,
            error,
            'no confirmation came, so the change may or may not be there; read before trying again: ',
          );
        if (!isTransient(error) || tries === MOST_TRIES) throw diskProblem(location, error) ?? error;
      }
    }
  }

  try {
    const asked = performance.now();
    clock.answered(await greetServer(pool, location), asked);
    await makeTables(pool, url, location, tables);
  } catch (error) {
    await pool.end();
    throw unavailable(location, error);
  }

  return {
    location,
    read,
    commit,
    after: async (seq, limit) => (await read([{ sql: afterSql, args: { seq, limit } }]))[0] as unknown as Recorded[],
    head: async () => Number((await read([headQuery]))[0]?.[0]?.['seq']),
    now: () => clock.now(),
    version: () => undefined,
    watch: (hint) => hints.watch(hint),
    async close() {
      await hints.close();
      await pool.end();
    },
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
      // A client that vanishes half-way must not keep the journal's counter locked until TCP notices, which may take hours.
      idle_in_transaction_session_timeout: HALF_WAY_TIMEOUT_MS,
      allowExitOnIdle: true,
    });
    // Idle or in use, a connection that breaks must not end the process: its queries reject, the pool replaces it.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    return pool;
  } catch (error) {
    throw unavailable(location, error);
  }
}

function recording(journal: readonly Entry[]): Statement {
  const sealed = journal.map(seal);
  const columns = (['project', 'at', 'actor', 'subject', 'kind', 'data', 'salt'] as const).map((key) =>
    sealed.map((entry) => entry[key]),
  );
  return { name: 'sekisho_record', text: record, values: [...columns, sealed.map(leafStart)] };
}

async function readSnapshot(pool: pg.Pool, queries: readonly Statement[]): Promise<readonly (readonly Row[])[]> {
  if (queries.length === 0) return [];
  const answers = await transact(pool, queries, queries.length === 1 ? undefined : beginReading);
  return answers.map((answer) => {
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value.rows;
  });
}

async function commitBatch(pool: pg.Pool, batch: readonly Statement[], begin: string): Promise<Outcome> {
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

type Answer = PromiseSettledResult<pg.QueryResult<Row>>;

/**
 * Sends everything before the first answer is there. After a failure the server refuses the rest and turns our commit into
 * a rollback, so the first rejected answer is the cause. Without `begin` each statement stands alone.
 */
async function transact(
  pool: pg.Pool,
  batch: readonly Statement[],
  begin: string | undefined,
): Promise<readonly Answer[]> {
  const client = await pool.connect();
  const ask = (statement: Statement): Promise<pg.QueryResult<Row>> =>
    client.query<Row>({ ...statement, values: [...statement.values] });
  // One packet, so that the server wakes up once.
  const { stream } = client.connection;
  stream.cork();
  const opening = begin === undefined ? undefined : client.query(begin);
  const asked = batch.map(ask);
  const closing = begin === undefined ? undefined : client.query('commit');
  stream.uncork();
  const [frame, answers] = await Promise.all([Promise.allSettled([opening, closing]), Promise.allSettled(asked)]);
  const rejected = [...frame, ...answers].filter((answer) => answer.status === 'rejected');
  const broken = rejected.find(({ reason }) => isLost(reason));
  client.release(broken !== undefined);
  // A lost connection outweighs every answer that came before it: nobody confirmed the end.
  if (broken) throw broken.reason;
  for (const answer of frame) if (answer.status === 'rejected') throw answer.reason;
  const ended = frame[1]?.status === 'fulfilled' ? frame[1].value?.command : undefined;
  if (rejected.length === 0 && begin !== undefined && ended !== 'COMMIT')
    throw new Error(`The server answered the commit with ${ended}`);
  return answers;
}

import { hostname } from 'node:os';
import { randomHex } from '../base/crypto.ts';
import type { Engine } from './engine.ts';
import { schemaVersion } from './schema.ts';

/** The delay before the row is written: most commands end sooner and leave none. */
const FIRST_AFTER_MS = 1000;
const RENEW_EVERY_MS = 20_000;
const LEASE_MS = 60_000;

/** A process that has the store open. */
export interface ConnectedProcess {
  readonly command: string;
  readonly pid: number;
  readonly machine: string;
}

export function describeProcess({ command, pid, machine }: ConnectedProcess): string {
  return `sekisho ${command} (pid ${pid}, ${machine})`;
}

/** Lists the other processes that have the store open and a valid lease. */
export async function listOthers(store: Pick<Engine, 'read' | 'now'>): Promise<readonly ConnectedProcess[]> {
  const [rows = []] = await store.read([
    {
      sql: `select command, pid, machine from sekisho_process
        where until > :now and not (pid = :pid and machine = :machine) order by machine, pid`,
      args: { now: store.now().toISOString(), pid: process.pid, machine: hostname() },
    },
  ]);
  return rows as unknown as readonly ConnectedProcess[];
}

export type Presence = ReturnType<typeof keepPresence>;

/** Keeps a row for this process while it has the store open. A process that is killed leaves it until its lease ends. */
export function keepPresence(engine: Engine) {
  const id = randomHex();
  let renewing: NodeJS.Timeout | undefined;
  let isWritten = false;
  let renewal: Promise<unknown> | undefined;

  async function renew(): Promise<void> {
    const until = new Date(engine.now().getTime() + LEASE_MS).toISOString();
    const args = { id, schema: schemaVersion, command: commandName(), pid: process.pid, machine: hostname(), until };
    await engine.writePresence({
      sql: `insert into sekisho_process (id, schema, command, pid, machine, until)
        values (:id, :schema, :command, :pid, :machine, :until) on conflict (id) do update set until = excluded.until`,
      args,
    });
    isWritten = true;
  }

  /** Ignores a database that is unavailable or full: the next renewal tries again. */
  const renewQuietly = (): void => {
    renewal = renew().catch(() => undefined);
  };
  const first = setTimeout(() => {
    renewQuietly();
    renewing = setInterval(renewQuietly, RENEW_EVERY_MS).unref();
  }, FIRST_AFTER_MS).unref();

  return {
    async end(): Promise<void> {
      clearTimeout(first);
      clearInterval(renewing);
      await renewal;
      if (!isWritten) return;
      const ended = engine.writePresence({ sql: 'delete from sekisho_process where id = :id', args: { id } });
      await ended.catch(() => undefined);
    },
  };
}

/** The command of this process, without its arguments, which can contain secrets. */
function commandName(): string {
  const word = process.argv[2] ?? '';
  return /^[a-z][a-z-]*$/.test(word) ? word : 'process';
}

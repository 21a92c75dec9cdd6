import type { Context } from '../../kernel/context.ts';
import { actorName, entry } from '../../kernel/store/journal.ts';
import type { Caller } from '../../kernel/relay.ts';
import { readRows } from '../../kernel/store/row.ts';
import type { Write } from '../../kernel/store/store.ts';

type Client = Pick<Caller, 'context' | 'connection' | 'era'>;

const unusedMs = 24 * 3600 * 1000;
/** The precision of the last-use time; without it every call would be a write. */
const renewMs = 10 * 60 * 1000;

/** Which clients have unlocked which upstreams: of the 2025 era in memory, of the 2026 era stored for a day. */
export class Activations {
  readonly #unlocked = new Map<string, number>();

  async has(client: Client, upstream: string): Promise<boolean> {
    const key = keyOf(client, upstream);
    const known = this.#unlocked.get(key);
    if (client.era === 'legacy') return known !== undefined;
    const now = client.context.now().getTime();
    if (known !== undefined && now - known < unusedMs) return true;
    const { context } = client;
    const rows = await readRows(
      context.store,
      `select used_at from upstream_activation
          where project = :project and upstream = :upstream and client = :client`,
      { project: context.project.key, upstream, client: clientOf(client) },
    );
    const used = Date.parse(String(rows[0]?.['used_at']));
    if (Number.isNaN(used) || now - used >= unusedMs) {
      this.#unlocked.delete(key);
      return false;
    }
    this.#unlocked.set(key, used);
    return true;
  }

  /** Unlocks an upstream for a client; nothing locks it again. */
  async unlock(client: Client, upstream: string): Promise<void> {
    const { context } = client;
    const write = client.era === 'modern' ? [renewal(client, upstream)] : [];
    await context.store.commit(write, [entry(context, upstream, 'upstream.unlocked', {})]);
    this.#unlocked.set(keyOf(client, upstream), context.now().getTime());
  }

  /** Builds the write that keeps an activation from expiring; undefined if none is due. */
  renew(client: Client, upstream: string): Write | undefined {
    if (client.era === 'legacy') return undefined;
    const key = keyOf(client, upstream);
    const now = client.context.now().getTime();
    if (now - (this.#unlocked.get(key) ?? 0) < renewMs) return undefined;
    this.#unlocked.set(key, now);
    return renewal(client, upstream);
  }
}

function renewal(client: Client, upstream: string): Write {
  const { context } = client;
  return {
    sql: `insert into upstream_activation (project, upstream, client, at, used_at)
      values (:project, :upstream, :client, :at, :at)
      on conflict (project, upstream, client) do update set used_at = excluded.used_at`,
    args: { project: context.project.key, upstream, client: clientOf(client), at: context.now().toISOString() },
  };
}

function clientOf(client: Client): string {
  return `${actorName(client.context.actor)} ${client.connection}`;
}

function keyOf(client: Client, upstream: string): string {
  return `${upstream} ${client.era === 'legacy' ? client.connection : clientOf(client)}`;
}

/** Identifies the client. The command line has no connection: its unlock lasts as long as the command. */
export function clientOn(context: Context): Omit<Caller, 'context'> & Client {
  const { connection } = context;
  return {
    context,
    connection: connection?.shared ?? 'command line',
    era: connection?.era ?? 'legacy',
    capabilities: connection?.capabilities ?? {},
    voice: connection?.voice,
    standing: connection?.standing ?? (() => undefined),
  };
}

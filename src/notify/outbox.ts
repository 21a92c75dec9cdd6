import { createHash } from 'node:crypto';
import type { Context } from '../kernel/context.ts';
import { entry } from '../kernel/store/journal.ts';
import { parsed, text } from '../kernel/store/row.ts';
import type { Row, Write } from '../kernel/store/store.ts';
import type { Message } from './message.ts';
import type { Target } from './settings.ts';

export interface Delivery {
  readonly id: string;
  readonly target: string;
  readonly message: Message;
  readonly attempts: number;
  readonly createdAt: string;
}

export interface Lease {
  readonly holder: string;
  readonly until: string;
}

const subject = 'notify';

/** The key of a target. It does not depend on the order of the list and does not reveal the URL. */
export function keyOf({ type, url }: Target): string {
  return `${type}-${createHash('sha256').update(JSON.stringify(url)).digest('hex').slice(0, 12)}`;
}

export function deliveryId(context: Context, target: string, seq: number, topic: string, about: string): string {
  const key = JSON.stringify([context.project.key, target, seq, topic, about]);
  return `dlv-${createHash('sha256').update(key).digest('hex').slice(0, 32)}`;
}

/** Returns the position in the journal to read from. The first time it is the end: past events send no notifications. */
export async function beginReading(context: Context): Promise<number> {
  const project = context.project.key;
  const query = { sql: 'select after_seq from notify_reader where project = :project', args: { project } };
  const [[row] = []] = await context.store.read([query]);
  if (row !== undefined) return Number(row['after_seq']);
  const head = await context.store.head();
  await context.store.commit(
    [
      {
        sql: `insert into notify_reader (project, after_seq, holder, until) values (:project, :head, '', '')
          on conflict (project) do nothing`,
        args: { project, head },
      },
    ],
    [entry(context, subject, 'notify.began', { after: head })],
  );
  const [[made] = []] = await context.store.read([query]);
  return Number(made?.['after_seq'] ?? head);
}

/** Stores the deliveries of an entry and the new read position, unless another process has read the entry already. */
export async function keepRead(context: Context, seq: number, deliveries: readonly Delivery[]): Promise<void> {
  const project = context.project.key;
  await context.store.commit(
    [
      {
        sql: 'update notify_reader set after_seq = :seq where project = :project and after_seq < :seq',
        args: { project, seq },
        rows: 1,
      },
      ...deliveries.map((one) => ({
        sql: `insert into notify_delivery (id, project, target, seq, message, attempts, next_at, created_at)
          values (:id, :project, :target, :seq, :message, 0, :at, :at) on conflict (id) do nothing`,
        args: { id: one.id, project, target: one.target, seq, message: JSON.stringify(one.message), at: one.createdAt },
      })),
    ],
    [entry(context, subject, 'notify.read', { seq, deliveries: deliveries.map(({ id }) => id) })],
  );
}

export async function readDue(context: Context): Promise<{ due: readonly Delivery[]; lease: Lease }> {
  const project = context.project.key;
  const [due = [], [lease] = []] = await context.store.read([
    {
      sql: `select id, target, message, attempts, created_at from notify_delivery
        where project = :project and next_at <= :now order by seq, id limit 100`,
      args: { project, now: context.now().toISOString() },
    },
    { sql: 'select holder, until from notify_reader where project = :project', args: { project } },
  ]);
  return {
    due: due.map(toDelivery),
    lease:
      lease === undefined ? { holder: '', until: '' } : { holder: text(lease, 'holder'), until: text(lease, 'until') },
  };
}

function toDelivery(row: Row): Delivery {
  return {
    id: text(row, 'id'),
    target: text(row, 'target'),
    message: parsed(row, 'message') as Message,
    attempts: Number(row['attempts']),
    createdAt: text(row, 'created_at'),
  };
}

/** Takes the lease. Of all processes that read the same lease, one succeeds. */
export async function takeLease(context: Context, seen: Lease, mine: Lease): Promise<boolean> {
  const outcome = await context.store.commit(
    [
      {
        sql: `update notify_reader set holder = :holder, until = :until
          where project = :project and holder = :seenHolder and until = :seenUntil`,
        args: { project: context.project.key, ...mine, seenHolder: seen.holder, seenUntil: seen.until },
        rows: 1,
      },
    ],
    [entry(context, subject, 'notify.sends', { until: mine.until })],
  );
  return outcome.done;
}

/** The result of an attempt. `reason` is undefined after success, `nextAt` if there is no further attempt. */
export interface Attempt {
  readonly reason: string | undefined;
  readonly nextAt: string | undefined;
}

/** Stores the result of an attempt and renews the lease. False if another process has the lease. */
export async function keepAttempt(
  context: Context,
  { id, target, attempts }: Delivery,
  { reason, nextAt }: Attempt,
  mine: Lease,
): Promise<boolean> {
  const kind = reason === undefined ? 'notify.delivered' : nextAt === undefined ? 'notify.given_up' : 'notify.failed';
  const change: Write =
    nextAt === undefined
      ? { sql: 'delete from notify_delivery where id = :id', args: { id } }
      : {
          sql: 'update notify_delivery set attempts = :attempts, next_at = :next where id = :id',
          args: { id, attempts: attempts + 1, next: nextAt },
        };
  const data = { delivery: id, target, attempt: attempts + 1, ...(reason !== undefined && { reason }) };
  const outcome = await context.store.commit(
    [
      {
        sql: 'update notify_reader set until = :until where project = :project and holder = :holder',
        args: { project: context.project.key, ...mine },
        rows: 1,
      },
      change,
    ],
    [entry(context, subject, kind, data)],
  );
  return outcome.done;
}

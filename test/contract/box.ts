import { defineTable } from '../../src/kernel/store/table.ts';
import type { Entry, Recorded, Row, Store, Write } from '../../src/kernel/store/store.ts';

export interface Place {
  readonly location: string;
  drop(): Promise<void>;
}

const box = defineTable({
  name: 'box',
  columns: { id: 'text not null', revision: 'bigint not null', owner: 'text not null', beat: 'bigint' },
  key: ['id'],
  volatile: ['beat'],
});
const lid = defineTable({
  name: 'lid',
  columns: { id: 'text not null', box: 'text not null references box (id)' },
  key: ['id'],
});
const scratch = defineTable({
  name: 'scratch',
  columns: { id: 'text not null', note: 'text' },
  key: ['id'],
  volatile: 'all',
});
export const tables = [box, lid, scratch];

export function entry(subject: string, data: unknown = {}): Entry {
  return {
    project: 'tests',
    at: '2026-01-01T00:00:00.000Z',
    actor: 'tester',
    subject,
    kind: 'test',
    data: JSON.stringify(data),
  };
}

export function put(id: string, owner = 'nobody'): Write {
  return { sql: 'insert into box (id, revision, owner) values (:id, 0, :owner)', args: { id, owner }, rows: 1 };
}

export function move(id: string, revision: number): Write {
  return {
    sql: 'update box set revision = revision + 1 where id = :id and revision = :revision',
    args: { id, revision },
    rows: 1,
  };
}

export function beat(id: string, count: number): Write {
  return { sql: 'update box set beat = :count where id = :id', args: { id, count }, rows: 1 };
}

export async function boxes(store: Store): Promise<readonly Row[]> {
  const [rows] = await store.read([{ sql: 'select id, revision, owner from box order by id', args: {} }]);
  return rows ?? [];
}

/** Follows until `count` entries are there. */
export async function collect(store: Store, from: number, count: number): Promise<readonly Recorded[]> {
  const stop = new AbortController();
  const seen: Recorded[] = [];
  for await (const recorded of store.follow(from, stop.signal)) {
    seen.push(recorded);
    if (seen.length === count) stop.abort();
  }
  return seen;
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../config/trust.ts';
import type { Invocations } from '../fleet/agent-hook.ts';

/** The clients that a person prepared, by checkout. It tells a client that stopped asking from one that never did. */
type Prepared = Readonly<Record<string, Readonly<Record<string, Invocations['scope']>>>>;

function fileOf(state: string): string {
  return join(state, 'clients.json');
}

function readPrepared(state: string): Prepared {
  // Called on every event; throwing costs ten times as much as a check.
  if (!existsSync(fileOf(state))) return {};
  try {
    return JSON.parse(readFileSync(fileOf(state), 'utf8')) as Prepared;
  } catch {
    return {}; // The file was removed in between.
  }
}

export function clientsPreparedAnywhere(state: string): readonly string[] {
  return [...new Set(Object.values(readPrepared(state)).flatMap((clients) => Object.keys(clients)))];
}

export function notePrepared(
  state: string,
  tree: string,
  clients: readonly string[],
  scope: Invocations['scope'],
): void {
  const before = readPrepared(state);
  write(state, { ...before, [tree]: { ...before[tree], ...Object.fromEntries(clients.map((one) => [one, scope])) } });
}

/** Forgets the clients of a checkout. Returns whether other checkouts have any. */
export function forgetPrepared(state: string, tree: string): boolean {
  const { [tree]: gone, ...rest } = readPrepared(state);
  if (gone !== undefined) write(state, rest);
  return Object.keys(rest).length > 0;
}

export function clientsPreparedIn(state: string, tree: string): readonly string[] {
  return Object.keys(readPrepared(state)[tree] ?? {});
}

function write(state: string, now: Prepared): void {
  replaceFile(fileOf(state), JSON.stringify(now, null, 2));
}

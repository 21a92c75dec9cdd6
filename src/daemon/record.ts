import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { postQuestion } from '../app/hook-bridge.ts';
import type { DataFolder } from '../config/data-folder.ts';
import { databaseName } from '../base/database-name.ts';
import { isJsonObject } from '../base/json-object.ts';
import type { HookQuestion, HookReply } from '../hook/answer.ts';
import type { HookConfig } from '../config/hook.ts';
import type { Identity } from '../machine/identity.ts';

export const patienceMs = 3000;

export function daemonFile({ state }: DataFolder): string {
  return join(state, 'daemon.json');
}

export interface DaemonAddress {
  readonly url: string;
  readonly page: string;
}

/** The page is absent if it is the same as `url`. */
type DaemonRecord = Identity & Pick<DaemonAddress, 'url'> & Partial<DaemonAddress>;

/** Reads the record that a daemon wrote at its start. The daemon may have ended since. */
export function readDaemon(data: DataFolder): DaemonRecord | undefined {
  try {
    const found: unknown = JSON.parse(readFileSync(daemonFile(data), 'utf8'));
    return isJsonObject(found) && typeof found['url'] === 'string' && typeof found['pid'] === 'number'
      ? (found as unknown as DaemonRecord)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Asks the daemon a hook's question. Undefined on any failure; then the hook connects to the database itself. */
export async function askDaemon(
  config: HookConfig,
  question: HookQuestion,
  callers: readonly string[],
): Promise<HookReply | undefined> {
  try {
    const { data } = config.place;
    const daemon = readDaemon(data);
    if (daemon === undefined) return undefined;
    const token = readFileSync(data.agentToken, 'utf8').trim();
    const address = new URL(`/hook/${encodeURIComponent(question.client)}`, daemon.url);
    address.searchParams.set('project', config.project.tree);
    address.searchParams.set('db', databaseName(config.db));
    if (question.event !== undefined) address.searchParams.set('event', question.event);
    for (const caller of callers) address.searchParams.append('caller', caller);
    address.searchParams.set('key', config.project.key);
    address.searchParams.set('fail', config.hookFail);
    address.searchParams.set('lang', config.lang);
    const headers = { Authorization: `Bearer ${token}` };
    return await postQuestion(address, { headers, timeout: patienceMs }, question.text);
  } catch {
    return undefined;
  }
}

import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AgentCli } from '../fleet/agent-cli.ts';
import type { SetupFile } from '../fleet/agent-hook.ts';
import { agents } from '../fleet/agents.ts';
import { problem as kernelProblem } from '../kernel/problem.ts';
import type { Calling } from './invocation.ts';
import { invocations } from './invocation.ts';
import { mergedJson, mergedToml } from './merge.ts';

export interface InstalledClient {
  readonly client: string;
  readonly written: readonly string[];
  /** Files that already said it. */
  readonly unchanged: readonly string[];
}

/** An agent CLI that files can lead to us. */
export type Client = AgentCli & Required<Pick<AgentCli, 'setup'>>;

export const clients: readonly Client[] = agents.filter((one): one is Client => one.setup !== undefined);

export function clientsOf(given: unknown): readonly Client[] {
  const words = [given].flat().filter((one) => typeof one === 'string');
  return words.map((word) => {
    const client = clients.find((one) => one.id === word);
    if (client !== undefined) return client;
    const known = clients.map((one) => one.id).join(', ');
    throw kernelProblem.BAD_CONFIGURATION({ file: '--client', reason: `"${word}" is none of ${known}` });
  });
}

/** Makes a client know our server, and ask us before every tool. What its files already say stays. */
export async function installClient(client: Client, calling: Calling, trustFolder: boolean): Promise<InstalledClient> {
  const call = invocations(client.id, calling);
  const files = [...client.setup(call), ...(trustFolder ? (client.trustFolder?.(call) ?? []) : [])];
  const written: string[] = [];
  const unchanged: string[] = [];
  // One after the other: two of them may be changes of the same file.
  for (const file of files) ((await install(client.id, file)) ? written : unchanged).push(file.path);
  return {
    client: client.id,
    written: [...new Set(written)],
    unchanged: unchanged.filter((one) => !written.includes(one)),
  };
}

async function install(client: string, file: SetupFile): Promise<boolean> {
  const { path } = file;
  const before = existsSync(path) ? await readFile(path, 'utf8') : undefined;
  const after = contentOf(client, file, before);
  if (after === before) return false;
  await replaceFile(path, after);
  return true;
}

function contentOf(client: string, file: SetupFile, before: string | undefined): string {
  if ('text' in file) return file.text;
  if ('lines' in file) return withLines(before ?? '', file.lines);
  return 'json' in file ? mergedJson(file.path, before, file.json, client) : mergedToml(before, file.table, file.keys);
}

function withLines(before: string, lines: readonly string[]): string {
  const there = before.split('\n').map((one) => one.trim());
  const fresh = lines.filter((one) => !there.includes(one));
  const gap = before === '' || before.endsWith('\n') ? '' : '\n';
  return fresh.length === 0 ? before : `${before}${gap}${fresh.join('\n')}\n`;
}

/** At once: the client may read it at any moment, and some of these files hold much that is not ours. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.new`;
  const mode = existsSync(path) ? (await stat(path)).mode & 0o777 : undefined;
  await writeFile(draft, text);
  if (mode !== undefined) await chmod(draft, mode);
  await rename(draft, path);
}

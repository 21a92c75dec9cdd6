import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';
import type { Environment } from '../kernel/environment.ts';
import type { AgentCli } from '../fleet/agent-cli.ts';
import type { HookEvent, Invocations, SetupFile } from '../fleet/agent-hook.ts';
import { agents } from '../fleet/agents.ts';
import type { Plain } from '../kernel/plain.ts';
import { problem as kernelProblem } from '../kernel/problem.ts';
import { messageOf } from '../kernel/failure.ts';
import { isPlain } from '../kernel/plain.ts';

export interface InstalledClient {
  readonly client: string;
  readonly written: readonly string[];
  /** Files that already said it. */
  readonly unchanged: readonly string[];
}

/** An agent CLI that files of a project can lead to us. */
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

/** Makes a client of this project know our server, and ask us before every tool if it can. What its files already say stays. */
export async function installClient(root: string, client: Client, env: Environment): Promise<InstalledClient> {
  const written: string[] = [];
  const unchanged: string[] = [];
  for (const file of client.setup(invocations(client.id, env))) {
    const path = join(root, file.path);
    const before = existsSync(path) ? await readFile(path, 'utf8') : undefined;
    const after = 'json' in file ? mergedJson(path, before, file.json, client.id) : mergedToml(before, file);
    if (after === before) {
      unchanged.push(path);
      continue;
    }
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, after);
    written.push(path);
  }
  return { client: client.id, written, unchanged };
}

/** `sekisho` where the path leads to it, else this very program. */
export function ownCommand(env: Environment): string {
  const program = process.argv[1];
  const folders = (env['PATH'] ?? '').split(delimiter);
  const found = program === undefined || folders.some((folder) => folder !== '' && existsSync(join(folder, 'sekisho')));
  return found ? 'sekisho' : resolve(program);
}

function invocations(client: string, env: Environment): Invocations {
  const command = ownCommand(env);
  const quoted = /^[\w./-]+$/.test(command) ? command : `'${command.replaceAll("'", String.raw`'\''`)}'`;
  // That variable costs Node 20 twice the time of the whole hook.
  const prefix = process.platform === 'win32' ? '' : 'env -u NODE_EXTRA_CA_CERTS ';
  return {
    hook: (event: HookEvent) => `${prefix}${quoted} hook ${event} --client ${client}`,
    mcp: { command, args: ['mcp'] },
  };
}

function mergedJson(path: string, before: string | undefined, ours: Plain, client: string): string {
  const theirs = before === undefined || before.trim() === '' ? {} : parse(path, before);
  const merged = merge(theirs, ours, client);
  return JSON.stringify(merged) === JSON.stringify(theirs) && before !== undefined
    ? before
    : `${JSON.stringify(merged, null, 2)}\n`;
}

function parse(path: string, text: string): Plain {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw kernelProblem.BAD_CONFIGURATION({
      file: path,
      reason: `it is no plain JSON, so nothing was changed (${messageOf(error)})`,
    });
  }
  if (isPlain(value)) return value;
  throw kernelProblem.BAD_CONFIGURATION({ file: path, reason: 'it holds no JSON object, so nothing was changed' });
}

/** Objects are merged; of a list only our own entry is replaced or added. */
function merge(theirs: unknown, ours: unknown, client: string): unknown {
  if (isPlain(theirs) && isPlain(ours)) {
    const keys = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])];
    return Object.fromEntries(
      keys.map((key) => [key, Object.hasOwn(ours, key) ? merge(theirs[key], ours[key], client) : theirs[key]]),
    );
  }
  if (!Array.isArray(theirs) || !Array.isArray(ours) || !JSON.stringify(ours).includes(' hook ')) return ours;
  const kept = theirs.map((one: unknown) => withOurCommand(one, ours, client));
  return kept.some((one) => mentions(one, client)) ? kept : [...theirs, ...(ours as unknown[])];
}

function mentions(value: unknown, client: string): boolean {
  return JSON.stringify(value)?.match(ourCommand(client)) != null;
}

function ourCommand(client: string): RegExp {
  return new RegExp(`sekisho'? hook [a-z-]+ --client ${client}\\b`);
}

/** An older entry of ours may lead to another place: it is brought up to date where it stands. */
function withOurCommand(value: unknown, ours: unknown, client: string): unknown {
  if (typeof value === 'string') {
    const fresh = ourCommand(client).test(value) ? commandIn(ours) : undefined;
    return fresh ?? value;
  }
  if (Array.isArray(value)) return value.map((one: unknown) => withOurCommand(one, ours, client));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withOurCommand(one, ours, client)]));
}

function commandIn(ours: unknown): string | undefined {
  if (typeof ours === 'string') return ours.includes(' hook ') ? ours : undefined;
  const inside = Array.isArray(ours) ? ours : isPlain(ours) ? Object.values(ours) : [];
  for (const one of inside) {
    const found = commandIn(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

function mergedToml(before: string | undefined, file: Extract<SetupFile, { toml: string }>): string {
  const text = before ?? '';
  // A table that is there is a person's choice.
  if (text.split('\n').some((line) => line.trim() === `[${file.table}]`)) return text;
  return `${text}${text === '' || text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n'}[${file.table}]\n${file.toml}`;
}

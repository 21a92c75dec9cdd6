import { existsSync, readFileSync } from 'node:fs';
import type { SetupFile } from '../fleet/agent-hook.ts';
import { ourCommand } from '../fleet/agent-hook.ts';
import { isPlain } from '../kernel/plain.ts';
import type { Client } from './client.ts';
import type { Calling } from './invocation.ts';
import { invocations, isPortable } from './invocation.ts';
import { readJson } from './json-text.ts';
import { mergedJson } from './merge.ts';
import type { Part } from './part.ts';
import { mergedToml, tomlTableIn } from './toml-table.ts';

/** How a client's files lead to us, as they are now. */
export interface Led {
  /** The command that it runs before a tool. */
  readonly hook: string | undefined;
  /** The program that it starts as our server. */
  readonly server: readonly string[] | undefined;
}

/** A person's own files count before those of version control, and a plugin comes last. */
export function lookAt(client: Client, calling: Omit<Calling, 'scope'>): Led {
  const files = [
    ...(['own', 'shared'] as const).flatMap((scope) => client.setup(invocations(client.id, { ...calling, scope }))),
    ...pluginOf(client, calling),
  ];
  const texts = files.map((file) => ({ file, text: textOf(file.path) }));
  const first = <T>(find: (file: SetupFile, text: string) => T | undefined) =>
    texts.map(({ file, text }) => (text === undefined ? undefined : find(file, text))).find((one) => one !== undefined);
  return {
    hook: first((_, text) => hookIn(text, client.id)),
    server: first((file, text) => serverIn(file, text)),
  };
}

/** A plugin of ours leads the client to us already. */
export function isPlugged(client: Client, calling: Omit<Calling, 'scope'>): boolean {
  return pluginOf(client, calling).length > 0;
}

function pluginOf(client: Client, calling: Omit<Calling, 'scope'>): readonly SetupFile[] {
  return client.plugin?.(invocations(client.id, { ...calling, scope: 'shared' })) ?? [];
}

/** What still leads a person's client to us from the project, though the user's own files do it now. */
export function formerParts(client: Client, calling: Calling): readonly Part[] {
  const files = calling.scope === 'own' ? client.formerSetup?.(invocations(client.id, calling)) : undefined;
  const isOwn = ({ path }: SetupFile) => {
    const command = hookIn(textOf(path) ?? '', client.id);
    return command !== undefined && !isPortable(command);
  };
  return (files ?? []).filter(isOwn).map((file) => ({ ...file, client: client.id }));
}

/** Whether the client trusts this folder, as far as its files tell; undefined where they do not. */
export function trustsFolder(client: Client, calling: Omit<Calling, 'scope'>): boolean | undefined {
  const files = client.trustFolder?.(invocations(client.id, { ...calling, scope: 'own' }));
  return files?.every((file) => {
    const text = textOf(file.path);
    if (text === undefined) return false;
    try {
      if ('json' in file) return mergedJson(file.path, text, file.json, client.id) === text;
      return 'table' in file && mergedToml(file, text) === text;
    } catch {
      return false; // No JSON or TOML that a client could read.
    }
  });
}

function textOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** In JSON as in a script: among its strings. */
function hookIn(text: string, client: string): string | undefined {
  const strings = text.match(/"(?:[^"\\\n]|\\.)*"/g) ?? [];
  const ours = ourCommand(client);
  return strings.map(literal).find((one) => one !== undefined && ours.test(one) && one.includes(' hook pre-tool-use '));
}

function literal(text: string): string | undefined {
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined; // No string of JSON.
  }
}

function serverIn(file: SetupFile, text: string): readonly string[] | undefined {
  try {
    if ('json' in file) return lineOf(at(readJson(file.path, text), pathTo(file.json) ?? ['sekisho']));
    return 'table' in file ? lineOf(tomlTableIn(file.path, text, file.table)) : undefined;
  } catch {
    return undefined; // Not a file that we could have written.
  }
}

/** The keys that lead to our server in what we write. */
function pathTo(value: unknown): readonly string[] | undefined {
  if (!isPlain(value)) return undefined;
  for (const [key, one] of Object.entries(value)) {
    if (key === 'sekisho') return [key];
    const below = pathTo(one);
    if (below !== undefined) return [key, ...below];
  }
  return undefined;
}

function at(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce((one: unknown, key) => (isPlain(one) ? one[key] : undefined), value);
}

function lineOf(entry: unknown): readonly string[] | undefined {
  if (!isPlain(entry)) return undefined;
  const line = [entry['command'], entry['args'] ?? []].flat(2);
  return line.every((one) => typeof one === 'string') ? line : undefined;
}

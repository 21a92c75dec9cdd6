import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { type HookTrust, type SetupFile, ourCommand } from '../fleet/agent-hook.ts';
import { type JsonObject, isJsonObject, textOf as stringOf } from '../base/json-object.ts';
import type { Client } from './client.ts';
import { type Calling, invocations, isPortable } from './invocation.ts';
import { readJson } from './json-text.ts';
import { mergeJson } from './merge-json.ts';
import type { Part } from './setup-part.ts';
import { mergeToml, readTomlObject } from './toml-table.ts';

/** How a client's files lead to us, as they are now. */
export interface Led {
  /** The command that it runs before a tool. */
  readonly hook: string | undefined;
  readonly server: LedServer | undefined;
}

/** Our server in a client's file: a program that it starts, or the daemon's address. */
export type LedServer = { readonly line: readonly string[] } | HttpServer;

export interface HttpServer {
  readonly url: string;
  /** What it sends as the header of that name, or the variable that it takes it from; undefined where it sends none. */
  readonly authorization: string | undefined;
}

/** A person's own files count before those of version control, and a plugin comes last. */
export function inspectClient(client: Client, calling: Omit<Calling, 'scope'>): Led {
  const files = [
    ...(['own', 'shared'] as const).flatMap((scope) => client.setup(invocations(client.id, { ...calling, scope }))),
    ...pluginOf(client, calling),
  ];
  const hooks = files.map(({ path }) => hookIn(textOf(path) ?? '', client.id));
  return {
    hook: hooks.find((one) => one !== undefined),
    server: files.map(serverIn).find((one) => one !== undefined),
  };
}

/** What the client records about a person's trust in our hooks; one that it runs is enough. Undefined: it asks for none. */
export function findHookTrust(client: Client, calling: Omit<Calling, 'scope'>): HookTrust | undefined {
  const found = (['own', 'shared'] as const).map((scope) =>
    client.hookTrust?.(invocations(client.id, { ...calling, scope }), { read: readPlain, sha256 }),
  );
  return found.find((one) => one === 'trusted') ?? found.find((one) => one !== undefined);
}

/** The file without our server where it has the daemon's address: an entry with both would be none. */
export function keepAddress(file: SetupFile): readonly SetupFile[] {
  const server = serverIn(file);
  if (server === undefined || !('url' in server)) return [file];
  if (!('json' in file)) return [];
  const json = withoutKey(file.json, pathTo(file.json) ?? []);
  return json === undefined ? [] : [{ ...file, json }];
}

function withoutKey(value: JsonObject, [key = '', ...below]: readonly string[]): JsonObject | undefined {
  const { [key]: inner, ...rest } = value;
  const left = below.length > 0 && isJsonObject(inner) ? withoutKey(inner, below) : undefined;
  const all = left === undefined ? rest : { ...rest, [key]: left };
  return Object.keys(all).length === 0 ? undefined : all;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function readPlain(path: string): JsonObject {
  const text = textOf(path) ?? '';
  try {
    return path.endsWith('.toml') ? readTomlObject(path, text) : readJson(path, text);
  } catch {
    return {}; // The client cannot read it either.
  }
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
export function isFolderTrusted(client: Client, calling: Omit<Calling, 'scope'>): boolean | undefined {
  const files = client.trustFolder?.(invocations(client.id, { ...calling, scope: 'own' }));
  return files?.every((file) => {
    const text = textOf(file.path);
    if (text === undefined) return false;
    try {
      if ('json' in file) return mergeJson(file.path, text, file.json, client.id) === text;
      return 'table' in file && mergeToml(file, text) === text;
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

function serverIn(file: SetupFile): LedServer | undefined {
  const path = 'json' in file ? pathTo(file.json) : 'table' in file ? file.table.split('.') : undefined;
  if (path === undefined) return undefined;
  const settings = readPlain(file.path);
  // Claude Code has servers of one project, and below the same key those of all.
  const entry = at(settings, path) ?? at(settings, path.slice(-2));
  return isJsonObject(entry) ? (lineOf(entry) ?? addressOf(entry)) : undefined;
}

/** The keys that lead to our server in what we write. */
function pathTo(value: unknown): readonly string[] | undefined {
  if (!isJsonObject(value)) return undefined;
  for (const [key, one] of Object.entries(value)) {
    if (key === 'sekisho') return [key];
    const below = pathTo(one);
    if (below !== undefined) return [key, ...below];
  }
  return undefined;
}

function at(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce((one: unknown, key) => (isJsonObject(one) ? one[key] : undefined), value);
}

function lineOf(entry: JsonObject): LedServer | undefined {
  const line = [entry['command'], entry['args'] ?? []].flat(2);
  return line.every((one) => typeof one === 'string') ? { line } : undefined;
}

/** As clients spell it: Gemini and Qwen `httpUrl`, Windsurf `serverUrl`, the others `url`. */
function addressOf(entry: JsonObject): HttpServer | undefined {
  const url = ['url', 'httpUrl', 'serverUrl'].map((key) => stringOf(entry[key])).find((one) => one !== undefined);
  if (url === undefined) return undefined;
  const headers = ['headers', 'http_headers', 'env_http_headers'].flatMap((key) => Object.entries(entry[key] ?? {}));
  const header = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] as unknown;
  return { url, authorization: stringOf(header) ?? stringOf(entry['bearer_token_env_var']) };
}

import { existsSync, readFileSync } from 'node:fs';
import { type HookTrust, type SetupFile, ourCommand } from '../fleet/agent-hook.ts';
import { sha256 } from '../base/crypto.ts';
import { type JsonObject, isJsonObject, textOf as stringOf } from '../base/json-object.ts';
import type { Client } from './client.ts';
import { type Calling, invocations, isPortable } from './invocation.ts';
import { readJson } from './json-text.ts';
import { mergeJson } from './merge-json.ts';
import type { Part } from './setup-part.ts';
import { mergeToml, readTomlObject, valueAt } from './toml-table.ts';

export interface ClientEntries {
  readonly hook: string | undefined;
  readonly server: ServerEntry | undefined;
}

/** Our server in a client's file: a command line, or the daemon's URL. */
export type ServerEntry = { readonly line: readonly string[] } | HttpServer;

export interface HttpServer {
  readonly url: string;
  /** The `Authorization` header, or the variable that has the token; undefined if there is none. */
  readonly authorization: string | undefined;
}

/** Finds our hook and server in a client's files: first in a person's own files, then in those of version control, then in a plugin. */
export function inspectClient(client: Client, calling: Omit<Calling, 'scope'>): ClientEntries {
  const files = [
    ...(['own', 'shared'] as const).flatMap((scope) => client.setup(invocations(client.id, { ...calling, scope }))),
    ...pluginOf(client, calling),
  ];
  const hooks = files.map(({ path }) => hookIn(textOf(path) ?? '', client.id));
  return { hook: hooks.find((one) => one !== undefined), server: files.map(serverIn).find((one) => one !== undefined) };
}

/** The trust in our hooks that the client records; one trusted hook is enough. Undefined if the client needs no trust. */
export function findHookTrust(client: Client, calling: Omit<Calling, 'scope'>): HookTrust | undefined {
  const found = (['own', 'shared'] as const).map((scope) =>
    client.hookTrust?.(invocations(client.id, { ...calling, scope }), { read: readPlain, sha256 }),
  );
  return found.find((one) => one === 'trusted') ?? found.find((one) => one !== undefined);
}

/** Leaves our server out of a file that has the daemon's URL: an entry with command and URL is invalid. */
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

function readPlain(path: string): JsonObject {
  const text = textOf(path) ?? '';
  try {
    return path.endsWith('.toml') ? readTomlObject(path, text) : readJson(path, text);
  } catch {
    return {}; // The client cannot read it either.
  }
}

export function isPlugged(client: Client, calling: Omit<Calling, 'scope'>): boolean {
  return pluginOf(client, calling).length > 0;
}

function pluginOf(client: Client, calling: Omit<Calling, 'scope'>): readonly SetupFile[] {
  return client.plugin?.(invocations(client.id, { ...calling, scope: 'shared' })) ?? [];
}

/** Parts in the project's files that an older version wrote for a person; the user's own files have them now. */
export function formerParts(client: Client, calling: Calling): readonly Part[] {
  const files = calling.scope === 'own' ? client.formerSetup?.(invocations(client.id, calling)) : undefined;
  const isOwn = ({ path }: SetupFile) => {
    const command = hookIn(textOf(path) ?? '', client.id);
    return command !== undefined && !isPortable(command);
  };
  return (files ?? []).filter(isOwn).map((file) => ({ ...file, client: client.id }));
}

/** Whether the client trusts this folder, by its files; undefined if they do not record it. */
export function isFolderTrusted(client: Client, calling: Omit<Calling, 'scope'>): boolean | undefined {
  const files = client.trustFolder?.(invocations(client.id, { ...calling, scope: 'own' }));
  return files?.every((file) => {
    const text = textOf(file.path);
    if (text === undefined) return false;
    try {
      if ('json' in file) return mergeJson(file.path, text, file.json, client.id) === text;
      return 'table' in file && mergeToml(file, text) === text;
    } catch {
      return false; // The file is not valid JSON or TOML, so the client cannot read it either.
    }
  });
}

function textOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** Finds our hook's command among the string literals of a JSON file or a script. */
function hookIn(text: string, client: string): string | undefined {
  const strings = text.match(/"(?:[^"\\\n]|\\.)*"/g) ?? [];
  const ours = ourCommand(client);
  return strings.map(literal).find((one) => one !== undefined && ours.test(one) && one.includes(' hook pre-tool-use '));
}

function literal(text: string): string | undefined {
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined; // The literal is not a JSON string.
  }
}

function serverIn(file: SetupFile): ServerEntry | undefined {
  const path = 'json' in file ? pathTo(file.json) : 'table' in file ? file.table.split('.') : undefined;
  if (path === undefined) return undefined;
  const settings = readPlain(file.path);
  // Claude Code has servers per project, and under the same last keys those for all projects.
  const entry = valueAt(settings, path) ?? valueAt(settings, path.slice(-2));
  return isJsonObject(entry) ? (lineOf(entry) ?? addressOf(entry)) : undefined;
}

/** The path of keys to our server in the JSON that we write. */
function pathTo(value: unknown): readonly string[] | undefined {
  if (!isJsonObject(value)) return undefined;
  for (const [key, one] of Object.entries(value)) {
    if (key === 'sekisho') return [key];
    const below = pathTo(one);
    if (below !== undefined) return [key, ...below];
  }
  return undefined;
}

function lineOf(entry: JsonObject): ServerEntry | undefined {
  const line = [entry['command'], entry['args'] ?? []].flat(2);
  return line.every((one) => typeof one === 'string') ? { line } : undefined;
}

/** Reads the URL of a server entry. Gemini and Qwen call it `httpUrl`, Windsurf `serverUrl`, the others `url`. */
function addressOf(entry: JsonObject): HttpServer | undefined {
  const url = ['url', 'httpUrl', 'serverUrl'].map((key) => stringOf(entry[key])).find((one) => one !== undefined);
  if (url === undefined) return undefined;
  const headers = ['headers', 'http_headers', 'env_http_headers'].flatMap((key) => Object.entries(entry[key] ?? {}));
  const header = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] as unknown;
  return { url, authorization: stringOf(header) ?? stringOf(entry['bearer_token_env_var']) };
}

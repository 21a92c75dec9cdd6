import type { JsonObject } from '../../base/json-object.ts';
import type { Caller } from '../../kernel/relay.ts';
import { memoizeByObject } from '../../base/memoize-by-object.ts';
import { metaKey } from './era.ts';
import { type Served, statelessConnection } from './session.ts';

/** An `x-mcp-header` in an input schema. The SDK checks these headers only for tools registered with it, and ours are not. */
interface Declaration {
  readonly path: readonly string[];
  readonly header: string;
  readonly numeric: boolean;
}

type HeaderOf = (name: string) => string | undefined;

/** Checks the headers of a 2026-era `tools/call` to an upstream's tool, and returns what is wrong. Our own tools declare none. */
export async function callHeaderFault(
  load: () => Promise<Served>,
  params: JsonObject,
  headerOf: HeaderOf,
): Promise<string | undefined> {
  try {
    const { app, connection } = await load();
    if (app.relay === undefined || !connection.toolsets.includes('upstream')) return undefined;
    const client = (params['_meta'] as Readonly<Record<string, { readonly name?: string }>>)[metaKey.clientInfo];
    const caller: Caller = {
      context: await app.context(connection.call),
      connection: statelessConnection(connection, client?.name),
      era: 'modern',
      capabilities: {},
      voice: undefined,
      standing: () => undefined,
    };
    const tool = (await app.relay.list('tools', caller)).find((one) => one['name'] === params['name']);
    return paramHeaderFault(tool?.['inputSchema'], params['arguments'], headerOf);
  } catch {
    return undefined; // The call itself fails for the same reason and reports it.
  }
}

const declaredIn = memoizeByObject((schema: object) => declarationsOf(schema as JsonObject, []));

/** Returns what is wrong with the `Mcp-Param-…` headers, which repeat arguments with `x-mcp-header` for proxies. */
export function paramHeaderFault(inputSchema: unknown, input: unknown, headerOf: HeaderOf): string | undefined {
  if (typeof inputSchema !== 'object' || inputSchema === null) return undefined;
  for (const { path, header, numeric } of declaredIn(inputSchema)) {
    const value = path.reduce<unknown>((node, key) => (node as JsonObject | null | undefined)?.[key], input);
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') continue;
    const name = `Mcp-Param-${header}`;
    const raw = headerOf(name);
    if (raw === undefined) return `the body carries ${path.join('.')}, but the header ${name} is absent`;
    const decoded = decode(raw);
    if (decoded === undefined) return `the header ${name} is not valid Base64`;
    const equal = numeric && typeof value === 'number' ? Number(decoded) === value : decoded === String(value);
    if (!equal) return `the header ${name} and ${path.join('.')} in the body differ`;
  }
  return undefined;
}

/** Collects the declarations along chains of `properties`. Anywhere else, they make clients ignore the whole tool. */
function declarationsOf(schema: JsonObject, path: readonly string[]): readonly Declaration[] {
  const header = schema['x-mcp-header'];
  const own =
    typeof header === 'string' && path.length > 0
      ? [{ path, header, numeric: schema['type'] === 'integer' || schema['type'] === 'number' }]
      : [];
  const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, unknown>>);
  return [
    ...own,
    ...properties.flatMap(([key, child]) =>
      typeof child === 'object' && child !== null ? declarationsOf(child as JsonObject, [...path, key]) : [],
    ),
  ];
}

const wrapped = /^=\?base64\?(.*)\?=$/s;
const canonical = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Decodes a header value. Text that is not allowed in a header is wrapped as Base64. */
function decode(raw: string): string | undefined {
  const encoded = wrapped.exec(raw)?.[1];
  if (encoded === undefined) return raw;
  if (!canonical.test(encoded)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined; // The bytes are not UTF-8.
  }
}

import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { isDeepStrictEqual } from 'node:util';
import { onTestFinished } from 'vitest';
import type { World } from './world.ts';

const anything = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } } as never;

/** The answer as it came: the client's own methods check and drop what they do not know. */
export async function ask(client: Client, method: string, params: object = {}): Promise<Record<string, any>> {
  return (await client.request({ method, params } as never, anything)) as Record<string, any>;
}

/** Every beat that reaches a client from here on: of one that comes together with the answer, its own callback hears nothing. */
export function beatsOf({ transport }: Client): { readonly progress: number; readonly message?: string }[] {
  const beats: { progress: number; message?: string }[] = [];
  if (transport === undefined) throw new Error('it is not connected');
  const deliver = transport.onmessage;
  // A transport has this one place, and no events.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  transport.onmessage = (message, extra) => {
    if ('method' in message && message.method === 'notifications/progress')
      beats.push(message.params as { progress: number; message?: string });
    deliver?.(message, extra);
  };
  return beats;
}

export interface Both {
  readonly direct: Client;
  readonly proxied: Client;
}

/** The same client twice: connected to the server itself, and to us before it. */
export async function twice(
  world: World,
  command: readonly string[],
  options: ClientOptions,
  prepare: (client: Client) => void = () => undefined,
): Promise<Both> {
  const [program = '', ...args] = command;
  const direct = new Client({ name: 'sekisho-test', version: '1.0.0' }, options);
  prepare(direct);
  onTestFinished(() => direct.close());
  await direct.connect(
    new StdioClientTransport({ command: program, args, cwd: world.project, env: { ...world.env }, stderr: 'ignore' }),
  );
  const proxied = await world.client({ options, prepare });
  return { direct, proxied };
}

/** The answer, or the error with its code and data; ids and times are made equal. */
export async function said(client: Client, method: string, params: object = {}): Promise<unknown> {
  const answer = await ask(client, method, params).catch((error: Error & { code?: unknown; data?: unknown }) => ({
    error: { code: error.code, message: error.message, data: error.data },
  }));
  const text = JSON.stringify(answer)
    .replaceAll(/"blob":"([^"]*)"/g, (_blob, bytes: string) => `"blob":${JSON.stringify(atob(bytes))}`)
    .replaceAll(/\b\d{1,2}:\d\d:\d\d [AP]M\b/g, '<time>')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9a-f]{32}\b/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');
  return JSON.parse(text);
}

const kinds = [
  ['tools/list', 'tools', 'name'],
  ['resources/list', 'resources', 'uri'],
  ['resources/templates/list', 'resourceTemplates', 'uriTemplate'],
  ['prompts/list', 'prompts', 'name'],
] as const;

/** What the server itself lists and is not there through us, or is another; ours stand beside it. */
export async function differences({ direct, proxied }: Both): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (const [method, field, key] of kinds) {
    const [own, shown] = (await Promise.all([said(direct, method), said(proxied, method)])).map(
      (answer) => ((answer as Record<string, any>)[field] ?? []) as Record<string, string>[],
    );
    if (field === 'tools' && own?.length === 0) found.push('there are no tools yet');
    for (const one of own ?? []) {
      if (one['name'] === 'activate') continue; // Ours; the server's is prefixed.
      const through = shown?.find((other) => other[key] === one[key]);
      if (!isDeepStrictEqual(through, one)) found.push({ directly: one, through });
    }
  }
  return found;
}

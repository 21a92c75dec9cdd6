import type { Readable, Writable } from 'node:stream';
import { PassThrough } from 'node:stream';
import { identity } from '../mcp/identity.ts';

export interface Greeted {
  /** Everything that the client sends, from its first byte on. */
  readonly input: Readable;
  /** Where the SDK writes. */
  readonly output: Writable;
}

/** Revisions of the `initialize` era; an unknown one is answered with the newest. */
const revisions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];
const newline = 10;

/**
 * Waits for the client's first message. Loading the SDK takes longer than everything else at start, and `initialize` needs
 * nothing of it: it is answered here at once. The SDK then gets the same message, and its own answer is left out.
 */
export function greet(stdin: Readable, stdout: Writable, version: string): Promise<Greeted> {
  return new Promise((resolve) => {
    const input = new PassThrough();
    let begun: Buffer[] = [];
    const begin = (output: Writable) => {
      stdin.off('data', read);
      stdin.off('end', finish);
      for (const chunk of begun) input.write(chunk);
      begun = [];
      stdin.pipe(input);
      if (stdin.readableEnded) input.end();
      resolve({ input, output });
    };
    const read = (chunk: Buffer) => {
      begun.push(chunk);
      if (!chunk.includes(newline)) return;
      const whole = Buffer.concat(begun);
      const request = initializeOf(whole.subarray(0, whole.indexOf(newline)).toString('utf8'));
      if (request === undefined) return begin(stdout);
      const protocolVersion = revisions.includes(request.revision) ? request.revision : revisions[0];
      const result = { protocolVersion, ...identity(version) };
      stdout.write(`${JSON.stringify({ result, jsonrpc: '2.0', id: request.id })}\n`);
      return begin(withoutFirstLine(stdout));
    };
    const finish = () => begin(stdout);
    stdin.on('data', read);
    stdin.once('end', finish);
  });
}

/** Only what is certainly right is answered here; anything odd is the SDK's to judge. */
function initializeOf(line: string): { readonly id: string | number; readonly revision: string } | undefined {
  let message: { jsonrpc?: unknown; id?: unknown; method?: unknown; params?: Record<string, unknown> | undefined };
  try {
    message = JSON.parse(line) as typeof message;
  } catch {
    return undefined;
  }
  const { jsonrpc, id, method, params } = message ?? {};
  const client = params?.['clientInfo'] as { name?: unknown; version?: unknown } | undefined;
  const sound =
    jsonrpc === '2.0' &&
    method === 'initialize' &&
    isObject(params?.['capabilities']) &&
    typeof client?.name === 'string' &&
    typeof client.version === 'string' &&
    params?.['_meta'] === undefined;
  const revision = params?.['protocolVersion'];
  if (!sound || typeof revision !== 'string' || (typeof id !== 'string' && typeof id !== 'number')) return undefined;
  return { id, revision };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The SDK's first line is its answer to `initialize`, which the client has already. */
function withoutFirstLine(stdout: Writable): Writable {
  const output = new PassThrough();
  const skip = (chunk: Buffer) => {
    const at = chunk.indexOf(newline);
    if (at < 0) return;
    output.off('data', skip);
    if (at + 1 < chunk.length) stdout.write(chunk.subarray(at + 1));
    output.pipe(stdout, { end: false });
  };
  output.on('data', skip);
  return output;
}

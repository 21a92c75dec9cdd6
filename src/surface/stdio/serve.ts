import { once } from '../../base/once.ts';
import type { Readable, Writable } from 'node:stream';
import type { ChunkedText } from '../../protocol/chunked-text.ts';
import { RpcError, rpc } from '../../kernel/exchange.ts';
import { lineReader, writeLine } from '../../protocol/lines.ts';
import { defaultMessageBytes, tooLargeMessage } from '../../kernel/message-size.ts';
import type { JsonObject } from '../../base/json-object.ts';
import { isTooDeep } from '../../kernel/json-limits.ts';
import { changesOf, changesOfRelay, gatherChanges, messagesOf, watchOutside } from '../mcp/changes.ts';
import { claimsModern } from '../mcp/era.ts';
import { type Id, errorMessage, isMessage, isRequest, maxBatch, tooDeepError } from '../mcp/message.ts';
import { type Channel, Peer } from '../mcp/peer.ts';
import { type Served, createSession } from '../mcp/session.ts';
import type { ModernStdio } from './modern.ts';

export interface StdioOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly version: string;
  /** Loads and opens everything; called at the first request that needs it. */
  readonly load: () => Promise<Served>;
  readonly onError: (error: Error) => void;
}

/** The delay before watching is tried again: the store may be available by then. */
const watchAgainMs = 5000;

export interface StdioServer {
  /** Resolves when every request has its answer, and the output is written. */
  answered(): Promise<void>;
  stop(): Promise<void>;
}

/** Serves one client over stdin and stdout, in the protocol era that it uses. */
export function serveOverStdio(options: StdioOptions): StdioServer {
  const { input, output, version, onError } = options;
  // The configuration is read with the first request; until then the default applies.
  let limit = defaultMessageBytes;
  const gathered = gatherChanges((changes) => {
    if (era === 'legacy') for (const message of messagesOf(changes, session.subscribed)) write(message);
    else modern?.then((one) => one.tell(changes)).catch(onError);
  });
  const load = once(async () => {
    const served = await options.load();
    limit = served.app.maxMessageBytes;
    // Watched before any list is read, so that no later change is missed.
    served.app.relay?.watch((change) => gathered(changesOfRelay(change)));
    return served;
  });
  const write = (message: unknown) => void writeLine(output, message).catch(onError);
  /** `probed`: the client sent `server/discover` of the 2026 era, and may still fall back to the 2025 era. */
  let era: 'open' | 'probed' | 'legacy' | 'modern' = 'open';
  let modern: Promise<ModernStdio> | undefined;
  const loadModern = async () => (await import('./modern.ts')).serveModern(output, version, load, onError);
  let stopLooking = () => {};
  /** Starts to report changes in the journal and outside of it. */
  const watch = once(async () => {
    const { app } = await load();
    const catalog = await app.catalog();
    await app.watch((entry) => gathered(changesOf(catalog, entry)));
    stopLooking = watchOutside(app, catalog, () => true, gathered);
  });
  const watchAfter = (ms: number) => {
    const begin = () =>
      watch().catch((error: Error) => {
        onError(error);
        watchAfter(watchAgainMs);
      });
    setTimeout(() => void begin(), ms).unref();
  };
  const session = createSession(load, watch);
  const channel = { send: write, lost: () => input.readableEnded };
  const peer = new Peer(session, version, () => channel);
  const running = new Set<Promise<void>>();
  const track = (work: Promise<void>) => {
    const done = work.catch(onError).finally(() => running.delete(done));
    running.add(done);
  };

  const settleEra = (message: JsonObject) => {
    if (era === 'legacy' || era === 'modern') return;
    if (claimsModern(message)) era = message['method'] === 'server/discover' ? 'probed' : 'modern';
    else if (isRequest(message)) era = 'legacy';
  };
  let begun = false;
  const take = (line: ChunkedText): void => {
    const messages = parse(line);
    if (messages === undefined) return undefined;
    if (messages instanceof Error) return onError(messages);
    const deep = (isBatch(messages) ? messages : [messages]).filter((one) => isTooDeep(one));
    if (deep.length > 0) return deep.forEach((one) => refuse(one['id'], isRequest(one), tooDeepError()));
    for (const message of isBatch(messages) ? messages : [messages]) settleEra(message);
    if (!begun) watchAfter(0);
    begun = true;
    if (era === 'open' || era === 'legacy') return track(receive(peer, messages, channel));
    if (isBatch(messages)) return onError(new Error('the 2026 era has no batches'));
    modern ??= loadModern();
    return track(modern.then((one) => one.take(messages)));
  };
  /** Refuses a message: a request is answered with the error, and an answer counts as this error. */
  const refuse = (id: unknown, asks: boolean, error: RpcError) => {
    onError(error);
    if (asks) write(errorMessage(id as Id, error));
    else if (id !== undefined) peer.receive(errorMessage(id as Id, error), { send: write }).catch(onError);
  };
  const read = lineReader(() => limit, {
    line: take,
    tooLong(excerpt) {
      const { id, isRequest: asks = false } = excerpt.identify() ?? {};
      refuse(id, asks, new RpcError(rpc.invalidRequest, tooLargeMessage(limit)));
    },
  });
  input.on('data', read);
  input.on('error', onError);
  input.once('end', () => peer.stopAsking('the client has gone'));
  return {
    async answered() {
      await Promise.all(running);
      await (await modern)?.answered();
      await new Promise<void>((done) => output.write('', () => done()));
    },
    async stop() {
      stopLooking();
      peer.close('the client has gone');
      await (await modern)?.close();
    },
  };
}

/** Parses a line into one message or a batch; undefined for a blank line. */
function parse(line: ChunkedText): JsonObject | readonly JsonObject[] | Error | undefined {
  const value = line.json();
  if (value === undefined) return line.isBlank() ? undefined : new Error('a line is not JSON');
  const messages: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (messages.length === 0 || messages.length > maxBatch)
    return new Error(`a batch has 1 to ${maxBatch} messages, not ${messages.length}`);
  return messages.every(isMessage)
    ? (value as JsonObject | readonly JsonObject[])
    : new Error('a line is not JSON-RPC 2.0');
}

/** Receives a message or a batch. The answers to a batch go out as one line, once all are there. */
async function receive(
  peer: Peer,
  messages: JsonObject | readonly JsonObject[],
  channel: Channel & { readonly send: (message: unknown) => void },
): Promise<void> {
  if (!isBatch(messages)) return peer.receive(messages, channel);
  const answers: JsonObject[] = [];
  const send = (one: JsonObject) => (one['method'] === undefined ? void answers.push(one) : channel.send(one));
  await Promise.all(messages.map((message) => peer.receive(message, { ...channel, send })));
  if (answers.length > 0) channel.send(answers);
}

function isBatch(messages: JsonObject | readonly JsonObject[]): messages is readonly JsonObject[] {
  return Array.isArray(messages);
}

import { type Exchange, RpcError, type Voice, rpc } from '../../kernel/exchange.ts';
import { type JsonObject, isJsonObject } from '../../base/json-object.ts';
import type { Relay } from '../../kernel/relay.ts';
import { handshakeRevisions } from '../../protocol/revision.ts';
import { describeServer } from './identity.ts';
import { answerRequest } from './mcp.ts';
import { type Id, answerMessage, errorMessage } from './message.ts';
import type { McpSession } from './session.ts';

/** The output for the messages of one request: stdout, or the answer to one POST. */
export interface Channel {
  send(message: JsonObject): void;
  /** Whether the client has gone for good, so that a question to it would never be answered. */
  readonly lost?: () => boolean;
  readonly detach?: (() => void) | undefined;
}

interface PeerQuestion {
  resolve(result: JsonObject): void;
  reject(error: Error): void;
}

/** The time limit for questions to the client. It is long, because a person answers an elicitation. */
const askTimeoutMs = 600_000;

/** One 2025-era client: requests of both sides, cancellation, `initialize` and `ping`. */
export class Peer {
  readonly session: McpSession;
  readonly #version: string;
  readonly #running = new Map<Id, AbortController>();
  readonly #asked = new Map<Id, PeerQuestion>();
  readonly #closing = new AbortController();
  #asks = 0;

  /** `standing` returns the channel for messages that belong to no request; undefined while the client does not listen. */
  constructor(session: McpSession, version: string, standing: () => Channel | undefined) {
    this.session = session;
    this.#version = version;
    session.standing = () => {
      const channel = standing();
      return channel && this.#voiceOn(channel, this.#closing.signal);
    };
  }

  /** Resolves when the message is handled: a request is answered, or cancelled without an answer. */
  async receive(message: JsonObject, channel: Channel): Promise<void> {
    const { id, method, params } = message;
    if (typeof method !== 'string') this.#settle(message);
    else if (id !== undefined) await this.#answer(id as Id, method, params as JsonObject | undefined, channel);
    else if (method === 'notifications/cancelled') this.#cancel(params as JsonObject | undefined);
    else if (method !== 'notifications/initialized')
      await this.#relay((relay) => relay.heard(this.session.id, method, (params as JsonObject | undefined) ?? {}));
  }

  close(reason: string): void {
    this.#closing.abort(new Error(reason));
    void this.#relay((relay) => relay.left(this.session.id));
    for (const stop of this.#running.values()) stop.abort(new Error(reason));
    this.stopAsking(reason);
  }

  /** Rejects the open questions to the client, because it will not answer them. */
  stopAsking(reason: string): void {
    for (const one of this.#asked.values()) one.reject(new Error(reason));
  }

  async #answer(id: Id, method: string, params: JsonObject | undefined, channel: Channel): Promise<void> {
    // With two requests of one id, an answer or a cancellation would be ambiguous.
    if (this.#running.has(id)) {
      channel.send(errorMessage(id, new RpcError(rpc.invalidRequest, `A request with the id ${id} is still running`)));
      return;
    }
    const stop = new AbortController();
    this.#running.set(id, stop);
    let answer: JsonObject;
    try {
      answer = answerMessage(id, await this.#result(method, params, channel, stop.signal));
    } catch (error) {
      answer = errorMessage(id, error);
    }
    this.#running.delete(id);
    // A request that its client cancelled gets no answer.
    if (!stop.signal.aborted) channel.send(answer);
  }

  #result(
    method: string,
    params: JsonObject | undefined,
    channel: Channel,
    signal: AbortSignal,
  ): JsonObject | Promise<JsonObject> {
    if (method === 'initialize') return this.#initialize(params ?? {});
    if (method === 'ping') return {};
    const { notify, request } = this.#voiceOn(channel, signal);
    const exchange: Exchange = {
      era: 'legacy',
      client: this.session.client,
      meta: params?.['_meta'] as JsonObject | undefined,
      signal,
      notify,
      request,
      detach: channel.detach,
    };
    return answerRequest(this.session, method, params ?? {}, exchange);
  }

  async #initialize({ protocolVersion, capabilities, clientInfo }: JsonObject): Promise<JsonObject> {
    const client = isJsonObject(clientInfo) ? clientInfo : {};
    const { name, version } = client;
    if (
      typeof protocolVersion !== 'string' ||
      !isJsonObject(capabilities) ||
      typeof name !== 'string' ||
      typeof version !== 'string'
    )
      throw new RpcError(rpc.invalidParams, 'initialize needs protocolVersion, capabilities and clientInfo');
    this.session.client = { name, capabilities };
    return {
      // To an unknown version we answer with the newest.
      protocolVersion: handshakeRevisions.includes(protocolVersion) ? protocolVersion : handshakeRevisions[0],
      ...(await describeServer(this.#version, this.session.load, 'legacy', name)),
    };
  }

  async #relay(tell: (relay: Relay) => void): Promise<void> {
    const { app } = await this.session.load().catch(() => ({ app: undefined })); // Calls report the reason.
    if (app?.relay !== undefined) tell(app.relay);
  }

  #voiceOn(channel: Channel, over: AbortSignal): Voice {
    return {
      notify: async (method, params) => channel.send({ jsonrpc: '2.0', method, params }),
      request: (method, params, cancel) =>
        this.#ask(method, params, channel, cancel === undefined ? over : AbortSignal.any([over, cancel])),
    };
  }

  async #ask(method: string, params: JsonObject, channel: Channel, signal: AbortSignal): Promise<JsonObject> {
    if (channel.lost?.() === true) throw new Error('the client has gone');
    signal.throwIfAborted();
    const id = this.#asks++;
    const giveUp = (reason: unknown) => {
      const words = reason instanceof Error ? reason.message : String(reason);
      channel.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id, reason: words } });
      this.#asked.get(id)?.reject(new Error(words));
    };
    const aborted = () => giveUp(signal.reason);
    const timer = setTimeout(() => giveUp('the client did not answer in time'), askTimeoutMs);
    signal.addEventListener('abort', aborted, { once: true });
    try {
      return await new Promise<JsonObject>((resolve, reject) => {
        this.#asked.set(id, { resolve, reject });
        channel.send({ jsonrpc: '2.0', id, method, params });
      });
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', aborted);
      this.#asked.delete(id);
    }
  }

  #settle({ id, result, error }: JsonObject): void {
    const question = this.#asked.get(id as Id);
    // Some clients write absent fields as null, so only an object is an error.
    if (!isJsonObject(error)) question?.resolve(result as JsonObject);
    else {
      const { code, message, data } = error;
      question?.reject(
        new RpcError(Number.isSafeInteger(code) ? (code as number) : rpc.internal, textIn(message), data),
      );
    }
  }

  #cancel(params: JsonObject | undefined): void {
    this.#running.get(params?.['requestId'] as Id)?.abort(textIn(params?.['reason']));
  }
}

/** A client's message or reason. It may have any type. */
function textIn(value: unknown): string {
  return typeof value === 'string' ? value : 'no reason given';
}

import { type Exchange, RpcError, type Voice, rpc } from '../../kernel/exchange.ts';
import { type JsonObject, isJsonObject } from '../../base/json-object.ts';
import type { Relay } from '../../kernel/relay.ts';
import { handshakeRevisions } from '../../protocol/revision.ts';
import { describeServer } from './identity.ts';
import { answerRequest } from './mcp.ts';
import { type Id, answerMessage, errorMessage } from './message.ts';
import type { McpSession } from './session.ts';

/** Where what belongs to one request goes: the pipe, or the answer of one POST. */
export interface Channel {
  send(message: JsonObject): void;
  /** The client has gone for good: a question to it would wait for ever. */
  readonly lost?: () => boolean;
  readonly detach?: (() => void) | undefined;
}

interface PeerQuestion {
  resolve(result: JsonObject): void;
  reject(error: Error): void;
}

/** A person answers an elicitation: much longer than a minute. */
const askTimeoutMs = 600_000;

/** The 2025 era of the protocol with one client: requests of both sides, cancelling, `initialize` and `ping`. */
export class Peer {
  readonly session: McpSession;
  readonly #version: string;
  readonly #running = new Map<Id, AbortController>();
  readonly #asked = new Map<Id, PeerQuestion>();
  readonly #closing = new AbortController();
  #asks = 0;

  /** `standing`: where what belongs to no request goes; undefined while nobody listens there. */
  constructor(session: McpSession, version: string, standing: () => Channel | undefined) {
    this.session = session;
    this.#version = version;
    session.standing = () => {
      const channel = standing();
      return channel && this.#voiceOn(channel, this.#closing.signal);
    };
  }

  /** Resolves when what was received is dealt with: a request with its answer sent, or cancelled without one. */
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

  /** Nobody will answer what the client was asked. */
  stopAsking(reason: string): void {
    for (const one of this.#asked.values()) one.reject(new Error(reason));
  }

  async #answer(id: Id, method: string, params: JsonObject | undefined, channel: Channel): Promise<void> {
    // Neither an answer nor a cancellation could say which of the two it means.
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
      // An unknown one is answered with the newest.
      protocolVersion: handshakeRevisions.includes(protocolVersion) ? protocolVersion : handshakeRevisions[0],
      ...(await describeServer(this.#version, this.session.load, 'legacy', name)),
    };
  }

  /** What stands behind this server, if it is there at all. */
  async #relay(tell: (relay: Relay) => void): Promise<void> {
    const { app } = await this.session.load().catch(() => ({ app: undefined })); // Whoever calls is told why.
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
    const timer = setTimeout(() => giveUp('nobody answered'), askTimeoutMs);
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
    // Whoever writes absent fields as null has no error.
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

/** What a client says in a place for words: not everything can be made a text. */
function textIn(said: unknown): string {
  return typeof said === 'string' ? said : 'for no reason that it could say';
}

import { pathToFileURL } from 'node:url';
import { RpcError, rpc } from '../../kernel/exchange.ts';
import type { JsonObject } from '../../base/json-object.ts';
import type { Caller } from '../../kernel/relay.ts';
import type { Calls } from './calls.ts';

/** The client that gets the questions of one upstream connection. */
export type Asked = Pick<Caller, 'era' | 'capabilities'>;

/** Questions that a 2026-era client can get as a result. */
const inAnswers = ['sampling/createMessage', 'elicitation/create', 'roots/list'];

/**
 * Answers an upstream's questions. A connection belongs to one client, so every question goes to that client: over one
 * of its running requests, else over its standing channel. Its roots are kept for times when it cannot be asked.
 */
export class Questions {
  readonly #calls: Calls;
  readonly #asked: () => Asked;
  readonly #root: () => Promise<string>;
  #roots: JsonObject | undefined;

  constructor(calls: Calls, asked: () => Asked, root: () => Promise<string>) {
    this.#calls = calls;
    this.#asked = asked;
    this.#root = root;
  }

  async answer(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    if (method === 'ping') return {};
    if (method === 'roots/list') return this.#listRoots(params, signal);
    return this.#ask(method, params, signal);
  }

  /** Returns the client's roots, else the project; also outside any call and after a reconnect. */
  async #listRoots(params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    if (this.#asked().capabilities['roots'] !== undefined && this.#calls.canAsk) {
      try {
        this.#roots = await this.#ask('roots/list', params, signal);
      } catch (error) {
        if (signal.aborted || this.#roots === undefined) throw error;
      }
    }
    if (this.#roots !== undefined) return this.#roots;
    return { roots: [{ uri: pathToFileURL(await this.#root()).href, name: 'project' }] };
  }

  #ask(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const { era } = this.#asked();
    if (era === 'modern' && !inAnswers.includes(method))
      throw new RpcError(rpc.methodNotFound, `Method not found: ${method}`);
    return this.#calls.ask(method, params, signal);
  }
}

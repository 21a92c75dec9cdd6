import { pathToFileURL } from 'node:url';
import { RpcError, rpc } from '../../kernel/exchange.ts';
import type { JsonObject } from '../../base/json-object.ts';
import type { Caller } from '../../kernel/relay.ts';
import type { Calls } from './calls.ts';

/** Whom the questions of one upstream connection go to. */
export type Asked = Pick<Caller, 'era' | 'capabilities'>;

/** What a client of the 2026 era can be asked in an answer. */
const inAnswers = ['sampling/createMessage', 'elicitation/create', 'roots/list'];

/**
 * Answers what an upstream asks. A connection belongs to one client, so every question is that client's: over a request of
 * its that is running, else over its standing channel. What it said of its roots is kept for when nobody can be asked.
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

  /** The client's own, else the project: also outside of any call, and after a reconnect. */
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

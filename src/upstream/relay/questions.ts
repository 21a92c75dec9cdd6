import { pathToFileURL } from 'node:url';
import { RpcError, rpc } from '../../kernel/exchange.ts';
import type { JsonObject } from '../../base/json-object.ts';
import type { Caller } from '../../kernel/relay.ts';
import type { Calls } from './calls.ts';

/** Questions that a 2026-era client can get as a result. */
const inAnswers = ['sampling/createMessage', 'elicitation/create', 'roots/list'];

/** Answers an upstream's questions by asking its one client. Its roots are kept for when it cannot be asked. */
export function createAnswers(
  calls: Calls,
  client: () => Pick<Caller, 'era' | 'capabilities'>,
  root: () => Promise<string>,
): (method: string, params: JsonObject, signal: AbortSignal) => Promise<JsonObject> {
  let roots: JsonObject | undefined;

  const ask = (method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> => {
    if (client().era === 'modern' && !inAnswers.includes(method))
      throw new RpcError(rpc.methodNotFound, `Method not found: ${method}`);
    return calls.ask(method, params, signal);
  };

  /** Returns the client's roots, else the project; also outside any call and after a reconnect. */
  const listRoots = async (params: JsonObject, signal: AbortSignal): Promise<JsonObject> => {
    if (client().capabilities['roots'] !== undefined && calls.canAsk) {
      try {
        roots = await ask('roots/list', params, signal);
      } catch (error) {
        if (signal.aborted || roots === undefined) throw error;
      }
    }
    return roots ?? { roots: [{ uri: pathToFileURL(await root()).href, name: 'project' }] };
  };

  return async (method, params, signal) => {
    if (method === 'ping') return {};
    return method === 'roots/list' ? listRoots(params, signal) : ask(method, params, signal);
  };
}

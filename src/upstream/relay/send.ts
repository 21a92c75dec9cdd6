import { RpcError, rpc } from '../../kernel/exchange.ts';
import type { JsonObject } from '../../base/json-object.ts';
import type { ClientConnection } from '../link/client-connection.ts';
import type { Connection } from '../wire/connection.ts';
import { forwardedMeta } from '../wire/meta.ts';
import type { PeerAnswer } from '../wire/peer.ts';
import type { Call } from './calls.ts';
import { isDeclined, mustBeTask, requestFor, taskIn } from './mapping.ts';

interface Sent {
  readonly method: string;
  readonly params: JsonObject;
  readonly tool?: JsonObject | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Sends one request in the format of the upstream's era, and reports progress under the client's token. */
export async function sendRequest(
  clientConnection: ClientConnection,
  { peer, greeting }: Connection,
  running: Call,
  { method, params, tool, headers }: Sent,
): Promise<PeerAnswer> {
  const { wire, signal } = running;
  if (greeting.era === 'legacy' && isDeclined(params))
    throw new RpcError(rpc.invalidRequest, 'The client did not open the address that the upstream asked for');
  if (greeting.era === 'legacy' && wire.era === 'modern' && wire.logLevel !== undefined)
    await clientConnection.wantLogs(wire.logLevel);
  const asked = requestFor(greeting.era, params);
  const meta = forwardedMeta(asked['_meta'] as JsonObject | undefined, wire, greeting);
  const asTask = mustBeTask(wire.era, greeting.era, tool);
  const { onProgress, delivered } = progressTo(running);
  const put = asked['_meta'] === undefined && meta === undefined && !asTask ? asked : putFor(asked, meta, asTask);
  const answer = await peer.request(method, put, { signal, onProgress, headers });
  const task = taskIn(answer.result);
  if (task !== undefined) clientConnection.addTask(task, answer.id, wire.meta?.['progressToken']);
  const whole = task !== undefined && asTask ? await waitFor(task, peer, signal) : answer;
  await delivered();
  return whole;
}

function putFor({ _meta, ...rest }: JsonObject, meta: JsonObject | undefined, asTask: boolean): JsonObject {
  return { ...rest, ...(asTask && { task: {} }), ...(meta !== undefined && { _meta: meta }) };
}

/** Waits for the task, because the client waits for the call. */
async function waitFor(taskId: string, peer: Connection['peer'], signal: AbortSignal): Promise<PeerAnswer> {
  try {
    return await peer.request('tasks/result', { taskId }, { signal });
  } catch (error) {
    if (signal.aborted) peer.request('tasks/cancel', { taskId }).catch(() => undefined); // It may have ended in the meantime.
    throw error;
  }
}

/** Forwards progress under the client's own token; the answer is sent after it. */
function progressTo(running: Call) {
  let tail: Promise<void> | undefined;
  const token = running.wire.meta?.['progressToken'];
  const onProgress = (params: JsonObject) => {
    const sent = running.wire.notify('notifications/progress', { ...params, progressToken: token });
    tail = Promise.all([tail, sent]).then(
      () => undefined,
      () => undefined, // The client has disconnected.
    );
  };
  return { onProgress: token === undefined ? undefined : onProgress, delivered: () => tail };
}

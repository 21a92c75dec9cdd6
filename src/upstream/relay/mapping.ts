import { rpc } from '../../kernel/exchange.ts';
import { type JsonObject, isJsonObject } from '../../base/json-object.ts';
import { UpstreamError } from '../wire/message.ts';

/** Conversions between the two protocol eras. `docs/protocol.md` has the same as a table. */
type Era = 'legacy' | 'modern';

/** Converts a request for an upstream. A 2025-era upstream does not know retried calls with answers. */
export function requestFor(upstream: Era, params: JsonObject): JsonObject {
  if (upstream === 'modern' || !('inputResponses' in params || 'requestState' in params)) return params;
  const { inputResponses: _responses, requestState: _state, ...rest } = params;
  return rest;
}

/** Converts a result for a client. `resultType` belongs to the upstream's connection; ours adds its own. */
export function resultFor(client: Era, result: JsonObject): JsonObject {
  const bare = result['resultType'] === 'complete' ? without(result, 'resultType') : result;
  return client === 'modern' ? bare : withObjectOnly(bare);
}

/** Removes structured content that is not an object, which the 2025 era does not allow; the text remains. */
function withObjectOnly(result: JsonObject): JsonObject {
  const { structuredContent } = result;
  if (structuredContent === undefined || isJsonObject(structuredContent)) return result;
  const rest = without(result, 'structuredContent');
  const content = Array.isArray(rest['content']) ? (rest['content'] as readonly JsonObject[]) : [];
  if (content.some((one) => one['type'] === 'text')) return rest;
  return { ...rest, content: [...content, { type: 'text', text: JSON.stringify(structuredContent) }] };
}

function without(result: JsonObject, name: string): JsonObject {
  const { [name]: _left, ...rest } = result;
  return rest;
}

/** Converts a 2025-era upstream's error that a URL must be opened first into a question to a 2026-era client. */
export function addressesAsked(client: Era, error: unknown): JsonObject | undefined {
  if (client === 'legacy' || !(error instanceof UpstreamError) || error.code !== rpc.urlElicitationRequired)
    return undefined;
  const asked = isJsonObject(error.data) ? error.data['elicitations'] : undefined;
  if (!Array.isArray(asked) || asked.length === 0 || !asked.every(isJsonObject)) return undefined;
  const inputRequests = Object.fromEntries(
    asked.map((params, at) => [`url${at}`, { method: 'elicitation/create', params: { mode: 'url', ...params } }]),
  );
  return { resultType: 'input_required', inputRequests };
}

/** Whether the client calls again without having opened the URL. */
export function isDeclined({ inputResponses }: JsonObject): boolean {
  if (!isJsonObject(inputResponses)) return false;
  return Object.values(inputResponses).some((one) => isJsonObject(one) && one['action'] !== 'accept');
}

export function taskIn(result: JsonObject): string | undefined {
  const task = result['resultType'] === 'task' ? result : result['task'];
  const id = isJsonObject(task) ? task['taskId'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** Whether the tool runs only as a 2025-era task, which a 2026-era client cannot request. */
export function mustBeTask(client: Era, upstream: Era, tool: JsonObject | undefined): boolean {
  const execution = tool?.['execution'];
  return (
    client === 'modern' && upstream === 'legacy' && isJsonObject(execution) && execution['taskSupport'] === 'required'
  );
}

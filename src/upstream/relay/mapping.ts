import { rpc } from '../../kernel/exchange.ts';
import { type JsonObject, isJsonObject } from '../../base/json-object.ts';
import { UpstreamError } from '../wire/message.ts';

/** How what passes from one era to the other is put. `docs/protocol.md` has the same as a table. */
type Era = 'legacy' | 'modern';

/** A 2025-era upstream does not know a call that comes again with answers: it asked by itself, or not at all. */
export function requestFor(upstream: Era, params: JsonObject): JsonObject {
  if (upstream === 'modern' || !('inputResponses' in params || 'requestState' in params)) return params;
  const { inputResponses: _responses, requestState: _state, ...rest } = params;
  return rest;
}

/** `resultType` belongs to the connection on which it came; our own says it anew. */
export function resultFor(client: Era, result: JsonObject): JsonObject {
  const bare = result['resultType'] === 'complete' ? without(result, 'resultType') : result;
  return client === 'modern' ? bare : withObjectOnly(bare);
}

/** The 2025 era knows only structured results that are objects; of any other the text remains. */
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

/**
 * A 2025-era upstream that needs an address to be opened first says so by an error; a 2026-era client is asked in the
 * answer, and calls again. Undefined for any other error.
 */
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

/** The client comes back and did not open what it was asked to open. */
export function isDeclined({ inputResponses }: JsonObject): boolean {
  if (!isJsonObject(inputResponses)) return false;
  return Object.values(inputResponses).some((one) => isJsonObject(one) && one['action'] !== 'accept');
}

/** The task that an answer stands for. */
export function taskIn(result: JsonObject): string | undefined {
  const task = result['resultType'] === 'task' ? result : result['task'];
  const id = isJsonObject(task) ? task['taskId'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** The tool runs as a task of the 2025 era only, which a 2026-era client cannot ask for. */
export function mustBeTask(client: Era, upstream: Era, tool: JsonObject | undefined): boolean {
  const execution = tool?.['execution'];
  return (
    client === 'modern' && upstream === 'legacy' && isJsonObject(execution) && execution['taskSupport'] === 'required'
  );
}

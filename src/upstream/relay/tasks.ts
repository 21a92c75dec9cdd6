import { type JsonObject, isJsonObject } from '../../base/json-object.ts';
import { askList } from '../link/catalogue.ts';
import type { OpenUpstream, RelayedOffers } from './offers.ts';
import { type RelayAnswer, askEach } from './ask.ts';

/** Requests about one task: `tasks/result` is of the 2025 era, `tasks/update` of the 2026 era. */
const methods = ['tasks/get', 'tasks/result', 'tasks/cancel', 'tasks/update'] as const;

/** Answers requests about the upstreams' tasks, by the ids that the upstreams gave them. */
export function taskAnswers(offers: RelayedOffers): Readonly<Record<string, RelayAnswer>> {
  const about = (method: string): RelayAnswer => {
    return async (params, wire) =>
      askEach(ownersFirst(await offers.open(wire), params['taskId']), method, params, wire);
  };
  return {
    ...Object.fromEntries(methods.map((method) => [method, about(method)])),
    'tasks/list': async (_params, wire) => {
      const listing = (await offers.open(wire)).filter(({ connection }) => canList(connection.greeting.capabilities));
      const lists = await Promise.all(listing.map(({ connection }) => askList(connection, 'tasks/list', 'tasks')));
      return { tasks: lists.flat() };
    },
  };
}

/** Returns the upstream that made the task; if that is not known, all upstreams that support tasks. */
function ownersFirst(open: readonly OpenUpstream[], id: unknown): readonly OpenUpstream[] {
  const owner = open.find(({ clientConnection }) => clientConnection.hasTask(id));
  return owner === undefined ? open.filter(({ connection }) => hasTasks(connection.greeting.capabilities)) : [owner];
}

function hasTasks({ tasks, extensions }: JsonObject): boolean {
  return tasks !== undefined || (isJsonObject(extensions) && 'io.modelcontextprotocol/tasks' in extensions);
}

function canList({ tasks }: JsonObject): boolean {
  return isJsonObject(tasks) && tasks['list'] !== undefined;
}

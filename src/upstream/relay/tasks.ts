import { type JsonObject, isJsonObject } from '../../base/json-object.ts';
import type { Wire } from '../../kernel/relay.ts';
import { askList } from '../link/catalogue.ts';
import { UpstreamError } from '../wire/message.ts';
import type { Open, RelayedOffers } from './offers.ts';
import { ask } from './ask.ts';

type TaskAnswer = (params: JsonObject, wire: Wire) => Promise<JsonObject | undefined>;

/** Requests about one task: `tasks/result` is of the 2025 era, `tasks/update` of the 2026 era. */
const methods = ['tasks/get', 'tasks/result', 'tasks/cancel', 'tasks/update'] as const;

/** Answers requests about the upstreams' tasks, by the ids that the upstreams gave them. */
export function taskAnswers(offers: RelayedOffers): Readonly<Record<string, TaskAnswer>> {
  const about = (method: string): TaskAnswer => {
    return async (params, wire) => {
      let refused: UpstreamError | undefined;
      for (const open of ownersFirst(await offers.open(wire), params['taskId'])) {
        try {
          return await ask(open, method, params, wire);
        } catch (error) {
          if (!(error instanceof UpstreamError)) throw error;
          refused ??= error;
        }
      }
      if (refused !== undefined) throw refused;
      return undefined;
    };
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
function ownersFirst(open: readonly Open[], id: unknown): readonly Open[] {
  const owner = open.find(({ clientConnection }) => clientConnection.hasTask(id));
  return owner === undefined ? open.filter(({ connection }) => hasTasks(connection.greeting.capabilities)) : [owner];
}

function hasTasks({ tasks, extensions }: JsonObject): boolean {
  return tasks !== undefined || (isJsonObject(extensions) && 'io.modelcontextprotocol/tasks' in extensions);
}

function canList({ tasks }: JsonObject): boolean {
  return isJsonObject(tasks) && tasks['list'] !== undefined;
}

import { type JsonObject, isJsonObject } from '../../base/json-object.ts';
import type { Relay, Wire } from '../../kernel/relay.ts';
import { type RelayAnswer, askUpstream, askEach } from './ask.ts';
import { type RelayedOffers, createOffers, type OpenUpstream } from './offers.ts';
import type { RelayParts } from './forward.ts';
import { createTools } from './tools.ts';
import { askList } from '../link/catalogue.ts';

/** Creates the relay for the surface: tools, resources and prompts of the upstreams. */
export function createRelay(parts: RelayParts): Omit<Relay, 'watch'> {
  const tools = createTools(parts);
  const offers = createOffers(parts);
  const answers: Readonly<Record<string, RelayAnswer>> = {
    'tools/call': (params, wire) => tools.call(params, wire),
    'resources/read': async (params, wire) =>
      askEach(await offers.owners(String(params['uri']), wire), 'resources/read', params, wire),
    'completion/complete': (params, wire) => complete(offers, params, wire),
    'prompts/get': async (params, wire) => {
      const prompt = await offers.prompt(params['name'], wire);
      return prompt && askUpstream(prompt.open, 'prompts/get', { ...params, name: prompt.name }, wire);
    },
    'resources/subscribe': (params, wire) => subscribe(offers, params, wire, true),
    'resources/unsubscribe': (params, wire) => subscribe(offers, params, wire, false),
    'logging/setLevel': async (params, wire) => {
      await Promise.all(parts.upstreams.map((one) => one.getConnection(wire).setLogLevel(String(params['level']))));
      return undefined;
    },
    ...taskAnswers(offers),
  };
  return {
    list: (kind, caller) => (kind === 'tools' ? tools.list(caller) : offers.list(kind, caller)),
    answer: (method, params, wire) => answers[method]?.(params, wire) ?? nothing,
    heard(connection, method, params) {
      for (const one of parts.upstreams) one.findConnection(connection)?.notifyUpstream(method, params);
    },
    left(connection) {
      for (const one of parts.upstreams) one.leave(connection);
    },
  };
}

/** The answer for requests that belong to no upstream. */
const nothing = Promise.resolve(undefined);

async function complete(offers: RelayedOffers, params: JsonObject, wire: Wire): Promise<JsonObject | undefined> {
  const reference = (params['ref'] ?? {}) as JsonObject;
  if (reference['type'] === 'ref/prompt') {
    const prompt = await offers.prompt(reference['name'], wire);
    const named = { ...params, ref: { ...reference, name: prompt?.name } };
    return prompt && askUpstream(prompt.open, 'completion/complete', named, wire);
  }
  const owner = await offers.template(reference['uri'], wire);
  return owner && askUpstream(owner, 'completion/complete', params, wire);
}

async function subscribe(offers: RelayedOffers, params: JsonObject, wire: Wire, on: boolean): Promise<undefined> {
  const [owner] = await offers.owners(String(params['uri']), wire);
  await owner?.clientConnection.subscribe(String(params['uri']), on);
}

/** Requests about one task: `tasks/result` is of the 2025 era, `tasks/update` of the 2026 era. */
const methods = ['tasks/get', 'tasks/result', 'tasks/cancel', 'tasks/update'] as const;

/** Answers requests about the upstreams' tasks, by the ids that the upstreams gave them. */
function taskAnswers(offers: RelayedOffers): Readonly<Record<string, RelayAnswer>> {
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

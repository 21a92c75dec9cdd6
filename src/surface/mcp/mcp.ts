import type { Application } from '../../kernel/application.ts';
import { type Exchange, RpcError, rpc } from '../../kernel/exchange.ts';
import { invoke } from '../../kernel/invoke.ts';
import type { Catalogue, Prompt } from '../../kernel/operation.ts';
import { isOfStore, isProblem } from '../../kernel/problem.ts';
import type { JsonObject } from '../../base/json-object.ts';
import type { ListKind, Wire } from '../../kernel/relay.ts';
import { leastMessageBytes, tooLargeMessage } from '../../kernel/message-size.ts';
import { estimateBytes } from '../../kernel/json-limits.ts';
import { invalidCursor } from '../../kernel/store/page.ts';
import { uriTemplate } from '../../base/template.ts';
import { failureEnvelope } from '../envelope.ts';
import { type Admission, callOf, requireContext, openExchange, visibleToolsets } from './admission.ts';
import { withInput } from './input.ts';
import { listResources } from './resources.ts';
import { type LogLevel, type McpSession, logLevels } from './session.ts';
import { findTool, toolForClient, ownTools } from './tools.ts';

type Handler = (params: JsonObject, exchange: Exchange, session: McpSession) => Promise<JsonObject>;

/** Answers a request. Every request of either era over either transport comes here. */
export async function answerRequest(
  session: McpSession,
  method: string,
  params: JsonObject,
  exchange: Exchange,
): Promise<JsonObject> {
  const handler = isServed(method) ? handlers[method] : undefined;
  if (handler === undefined) throw new RpcError(rpc.methodNotFound, 'Method not found');
  try {
    const result = await handler(params, exchange, session);
    const bytes = estimateBytes(result);
    if (bytes < leastMessageBytes) return result;
    const { maxMessageBytes } = (await session.load()).app;
    if (bytes > maxMessageBytes) throw new RpcError(rpc.internal, tooLargeMessage(maxMessageBytes));
    return result;
  } catch (error) {
    if (!isProblem(error)) throw error;
    const lang = await session.load().then(
      ({ app }) => app.lang,
      () => 'en' as const, // The configuration, which has the language, cannot be read.
    );
    throw new RpcError(rpcCodes[error.code] ?? rpc.internal, error.in(lang), { code: error.code });
  }
}

/** The JSON-RPC codes of problems that the caller caused. */
const rpcCodes: Readonly<Record<string, number | undefined>> = {
  FORBIDDEN: rpc.invalidRequest,
  PROJECT_NEEDED: rpc.invalidRequest,
  VALIDATION_ERROR: rpc.invalidParams,
};

export function isServed(method: string): boolean {
  return Object.hasOwn(handlers, method);
}

const handlers: Readonly<Record<string, Handler>> = {
  'tools/list': async (params, exchange, session) => {
    refuseCursor(params);
    const served = await session.load();
    const { app, connection } = served;
    // In the 2026 era the list must not depend on the client's name.
    const listing = app.listing(exchange.era === 'legacy' ? exchange.client.name : undefined);
    // Listing our own tools needs neither the store nor the code of the operations.
    const others =
      app.relay === undefined ? [] : await relayed(app, 'tools', (await openExchange(session, exchange)).wire);
    const visible = visibleToolsets(connection.toolsets, await app.isPerson(callOf(session, served, exchange)));
    return { tools: [...ownTools(app.tools(), visible), ...others].map((tool) => toolForClient(listing, tool)) };
  },

  'tools/call': async (params, exchange, session) => {
    const { app, offer, context, wire } = await openExchange(session, exchange);
    const name = String(params['name']);
    const input = params['arguments'] ?? {};
    if (typeof input !== 'object' || Array.isArray(input)) throw invalidParams('arguments must be an object');
    const operation = findTool(offer.operations, name);
    if (operation === undefined) return await callRelayed(app, name, params, wire);
    // Watch first, so that the client is notified of the changes of this call too. The call itself reports an unavailable store.
    await session.watched().catch(() => undefined);
    const answer =
      'refused' in context
        ? { ok: false as const, problem: context.refused }
        : await invoke(app, context.granted, operation, input);
    if (!answer.ok) {
      const body = failureEnvelope(app.lang, operation, answer.problem);
      return {
        content: [{ type: 'text', text: typeof body === 'string' ? body : JSON.stringify(body) }],
        isError: true,
      };
    }
    const shown = operation.present?.(answer.output);
    return {
      ...shown?.beside,
      content: [{ type: 'text', text: shown?.text ?? JSON.stringify(answer.output) }],
      structuredContent: answer.output,
    };
  },

  'resources/list': async (params, exchange, session) => {
    const { app, offer, context, wire } = await openExchange(session, exchange);
    await session.watched();
    const page = await listResources(offer.resources, requireContext(context), cursorOf(params));
    return 'nextCursor' in page ? page : { resources: [...page.resources, ...(await relayed(app, 'resources', wire))] };
  },

  'resources/templates/list': async (params, exchange, session) => {
    refuseCursor(params);
    const { app, offer, wire } = await openExchange(session, exchange);
    const own = offer.resources.map((one) => ({
      uriTemplate: one.uriTemplate,
      name: one.name,
      description: one.summary.en,
      mimeType: one.mimeType,
    }));
    return { resourceTemplates: [...own, ...(await relayed(app, 'resourceTemplates', wire))] };
  },

  'resources/read': async (params, exchange, session) => {
    const { app, offer, context, wire } = await openExchange(session, exchange);
    const uri = String(params['uri']);
    for (const resource of offer.resources) {
      const variables = uriTemplate(resource.uriTemplate)(uri);
      const value = variables === undefined ? undefined : await resource.read(requireContext(context), variables);
      if (value !== undefined)
        return {
          contents: [
            { uri, mimeType: resource.mimeType, text: typeof value === 'string' ? value : JSON.stringify(value) },
          ],
        };
    }
    const passed = await pass(app, 'resources/read', params, wire);
    if (passed !== undefined) return passed;
    throw new RpcError(rpc.resourceNotFound, `There is no resource ${uri}`, { uri });
  },

  'resources/subscribe': async (params, exchange, session) => {
    const { app, offer, wire } = await openExchange(session, exchange);
    if (!isOurs(offer, params['uri'])) await pass(app, 'resources/subscribe', params, wire);
    await session.watched();
    session.subscribed.add(String(params['uri']));
    return {};
  },

  'resources/unsubscribe': async (params, exchange, session) => {
    session.subscribed.delete(String(params['uri']));
    const { app, offer, wire } = await openExchange(session, exchange);
    if (!isOurs(offer, params['uri'])) await pass(app, 'resources/unsubscribe', params, wire);
    return {};
  },

  'prompts/list': async (params, exchange, session) => {
    refuseCursor(params);
    const { app, offer, context, wire } = await openExchange(session, exchange);
    const own = (await promptsOf(offer, context)).map(({ name, summary, arguments: args }) => ({
      name,
      description: summary[app.lang],
      arguments: args.map((one) => ({ ...one, description: one.description[app.lang] })),
    }));
    return { prompts: [...own, ...(await relayed(app, 'prompts', wire))] };
  },

  'prompts/get': async (params, exchange, session) => {
    const { app, offer, context, wire } = await openExchange(session, exchange);
    const prompt = (await promptsOf(offer, context)).find((one) => one.name === params['name']);
    if (prompt === undefined) {
      const passed = await pass(app, 'prompts/get', params, wire);
      if (passed !== undefined) return passed;
      throw invalidParams(`Unknown prompt: ${String(params['name'])}`);
    }
    const given = (params['arguments'] ?? {}) as Record<string, string>;
    const missing = prompt.arguments.filter((one) => one.required && given[one.name] === undefined);
    if (missing.length > 0) throw invalidParams(`Missing argument: ${missing.map((one) => one.name).join(', ')}`);
    const text = await prompt.render(requireContext(context), given).catch((error: unknown) => {
      // Any problem but one of the store is about the caller's arguments.
      const own = isProblem(error) && !isOfStore(error);
      throw own ? new RpcError(rpc.invalidParams, error.in(app.lang), { code: error.code }) : error;
    });
    return { description: prompt.summary[app.lang], messages: [{ role: 'user', content: { type: 'text', text } }] };
  },

  'completion/complete': async (params, exchange, session) => {
    const { app, offer, context, wire } = await openExchange(session, exchange);
    const reference = (params['ref'] ?? {}) as JsonObject;
    const own =
      reference['type'] === 'ref/prompt'
        ? (await promptsOf(offer, context)).some((one) => one.name === reference['name'])
        : offer.resources.some((one) => one.uriTemplate === reference['uri']);
    if (own) return { completion: { values: [], hasMore: false } };
    const passed = await pass(app, 'completion/complete', params, wire);
    if (passed === undefined) throw invalidParams('There is no such prompt or resource template');
    return passed;
  },

  'tasks/get': taskHandler('tasks/get'),
  'tasks/result': taskHandler('tasks/result'),
  'tasks/cancel': taskHandler('tasks/cancel'),
  'tasks/update': taskHandler('tasks/update'),
  'tasks/list': async (params, exchange, session) => {
    const { app, wire } = await openExchange(session, exchange);
    return (await pass(app, 'tasks/list', params, wire)) ?? { tasks: [] };
  },

  'logging/setLevel': async (params, exchange, session) => {
    const level = params['level'] as LogLevel;
    if (!logLevels.includes(level)) throw invalidParams(`level must be one of ${logLevels.join(', ')}`);
    session.logLevel = level;
    const { app, wire } = await openExchange(session, exchange);
    await pass(app, 'logging/setLevel', params, wire);
    return {};
  },
};

/** A handler that passes a task request to the upstreams. Our own tools never run as tasks. */
function taskHandler(method: string): Handler {
  return async (params, exchange, session) => {
    const { app, wire } = await openExchange(session, exchange);
    const passed = await pass(app, method, params, wire);
    if (passed === undefined) throw invalidParams(`There is no task ${String(params['taskId'])}`);
    return passed;
  };
}

async function relayed(app: Application, kind: ListKind, wire: Wire | undefined): Promise<readonly JsonObject[]> {
  return wire === undefined || app.relay === undefined ? [] : app.relay.list(kind, wire);
}

async function callRelayed(
  app: Application,
  name: string,
  params: JsonObject,
  wire: Wire | undefined,
): Promise<JsonObject> {
  const refusal = wire === undefined ? undefined : await app.policy.check(wire.context, name);
  if (refusal !== undefined) return { content: [{ type: 'text', text: refusal.in(app.lang) }], isError: true };
  const passed = await pass(app, 'tools/call', params, wire);
  if (passed === undefined) throw invalidParams(`Unknown tool: ${name}`);
  return passed;
}

/** Passes a request to the upstreams; undefined if none of them handles it. */
function pass(
  app: Application,
  method: string,
  params: JsonObject,
  wire: Wire | undefined,
): Promise<JsonObject | undefined> {
  const { relay } = app;
  if (relay === undefined || wire === undefined) return Promise.resolve(undefined);
  return withInput(params, wire, (given) => relay.answer(method, given, wire));
}

function isOurs({ resources }: Catalogue, uri: unknown): boolean {
  return resources.some((one) => uriTemplate(one.uriTemplate)(String(uri)) !== undefined);
}

async function promptsOf(offer: Catalogue, context: Admission): Promise<readonly Prompt[]> {
  const more = 'granted' in context ? await offer.promptsFor?.(context.granted) : undefined;
  return [...offer.prompts, ...(more ?? [])];
}

function cursorOf(params: JsonObject): string | undefined {
  const cursor = params['cursor'] ?? undefined;
  if (cursor !== undefined && typeof cursor !== 'string') throw invalidCursor();
  return cursor;
}

/** Refuses a cursor for a list that always has one page: we never returned a cursor. */
function refuseCursor(params: JsonObject): void {
  if (cursorOf(params) !== undefined) throw invalidCursor();
}

function invalidParams(message: string): RpcError {
  return new RpcError(rpc.invalidParams, message);
}

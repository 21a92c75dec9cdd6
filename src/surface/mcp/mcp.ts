import { randomUUID } from 'node:crypto';
import type { ServerContext } from '@modelcontextprotocol/server';
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { Application, Call } from '../../kernel/application.ts';
import type { Context } from '../../kernel/context.ts';
import { asProblem, invoke } from '../../kernel/invoke.ts';
import type { Catalogue, Prompt } from '../../kernel/operation.ts';
import { isProblem } from '../../kernel/problem.ts';
import type { Plain } from '../../kernel/plain.ts';
import type { ListKind, Wire } from '../../kernel/relay.ts';
import { isPersonal } from '../../kernel/role.ts';
import type { Toolset } from '../../kernel/toolset.ts';
import { failure } from '../envelope.ts';
import { identity } from './identity.ts';
import { withInput } from './input.ts';
import { listResources } from './resources.ts';
import type { LogLevel, Served, Session } from './session.ts';
import { clientName, connectionOf, legacyClient, logLevels, wireOf } from './session.ts';
import { foldTool, listTools, findTool } from './tools.ts';
import { matchPath } from '../http/path.ts';

type Handler = (params: Plain, ctx: ServerContext, session: Session) => Promise<Plain>;

/** A server for one connection. It loads the application only when the first request needs it, so that `initialize` is fast. */
export function createSession(version: string, load: () => Promise<Served>): Session {
  const { serverInfo, ...rest } = identity(version);
  const server = new Server(serverInfo, rest);
  const session: Session = {
    id: randomUUID(),
    server,
    load,
    subscribed: new Set(),
    running: new Map(),
    logLevel: undefined,
  };
  // The SDK brings its own, which would keep the level to itself.
  server.removeRequestHandler('logging/setLevel');
  // The fallback is not bound to the SDK's result schemas: what a tool returns goes out as it is.
  server.fallbackRequestHandler = async (request, ctx) => {
    const running = session.running.get(ctx.mcpReq.id);
    return { ...(await (running?.join(ctx) ?? answerRequest(session, request, ctx))) };
  };
  return session;
}

export async function answerRequest(
  session: Session,
  { method, params }: { readonly method: string; readonly params?: Plain | undefined },
  ctx: ServerContext,
): Promise<Plain> {
  const handler = isServed(method) ? handlers[method] : undefined;
  if (handler === undefined) throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found');
  return handler({ ...params, ...retryFields(ctx) }, ctx, session);
}

/** Methods that this server answers beside those of the SDK. */
export function isServed(method: string): boolean {
  return Object.hasOwn(handlers, method);
}

const handlers: Readonly<Record<string, Handler>> = {
  'tools/list': async (_params, ctx, session) => {
    const { app, offer, wire } = await open(session, ctx);
    const underscore = app.toolNames(legacyClient(session, ctx)) === 'underscore';
    const others = await relayed(app, 'tools', wire);
    return { tools: [...listTools(offer.operations, underscore), ...(underscore ? others.map(foldTool) : others)] };
  },

  'tools/call': async (params, ctx, session) => {
    const { app, offer, context, wire } = await open(session, ctx);
    const name = String(params['name']);
    const input = params['arguments'] ?? {};
    if (typeof input !== 'object' || Array.isArray(input)) throw invalidParams('arguments must be an object');
    const operation = findTool(offer.operations, name);
    if (operation === undefined) return callRelayed(app, name, params, wire);
    const answer =
      'refused' in context
        ? { ok: false as const, problem: context.refused }
        : await invoke(app, context.granted, operation, input);
    if (!answer.ok) {
      const { body } = failure(app.lang, operation, answer.problem);
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

  'resources/list': async (params, ctx, session) => {
    const { app, offer, context, wire } = await open(session, ctx);
    const page = await listResources(offer.resources, granted(context), cursorOf(params));
    return 'nextCursor' in page ? page : { resources: [...page.resources, ...(await relayed(app, 'resources', wire))] };
  },

  'resources/templates/list': async (_params, ctx, session) => {
    const { app, offer, wire } = await open(session, ctx);
    const own = offer.resources.map(({ uriTemplate, name, summary, mimeType }) => ({
      uriTemplate,
      name,
      description: summary,
      mimeType,
    }));
    return { resourceTemplates: [...own, ...(await relayed(app, 'resourceTemplates', wire))] };
  },

  'resources/read': async (params, ctx, session) => {
    const { app, offer, context, wire } = await open(session, ctx);
    const uri = String(params['uri']);
    for (const resource of offer.resources) {
      const variables = matchPath(resource.uriTemplate, uri);
      const value = variables === undefined ? undefined : await resource.read(granted(context), variables);
      if (value !== undefined)
        return {
          contents: [
            { uri, mimeType: resource.mimeType, text: typeof value === 'string' ? value : JSON.stringify(value) },
          ],
        };
    }
    const passed = await pass(app, 'resources/read', params, wire);
    if (passed !== undefined) return passed;
    throw new ProtocolError(ProtocolErrorCode.ResourceNotFound, `There is no resource ${uri}`, { uri });
  },

  'resources/subscribe': async (params, ctx, session) => {
    const { app, wire } = await open(session, ctx);
    await pass(app, 'resources/subscribe', params, wire);
    session.subscribed.add(String(params['uri']));
    return {};
  },

  'resources/unsubscribe': async (params, ctx, session) => {
    session.subscribed.delete(String(params['uri']));
    const { app, wire } = await open(session, ctx);
    await pass(app, 'resources/unsubscribe', params, wire);
    return {};
  },

  'prompts/list': async (_params, ctx, session) => {
    const { app, offer, context, wire } = await open(session, ctx);
    const own = (await promptsOf(offer, context)).map(({ name, summary, arguments: args }) => ({
      name,
      description: summary,
      arguments: args,
    }));
    return { prompts: [...own, ...(await relayed(app, 'prompts', wire))] };
  },

  'prompts/get': async (params, ctx, session) => {
    const { app, offer, context, wire } = await open(session, ctx);
    const prompt = (await promptsOf(offer, context)).find((one) => one.name === params['name']);
    if (prompt === undefined) {
      const passed = await pass(app, 'prompts/get', params, wire);
      if (passed !== undefined) return passed;
      throw invalidParams(`Unknown prompt: ${String(params['name'])}`);
    }
    const given = (params['arguments'] ?? {}) as Record<string, string>;
    const missing = prompt.arguments.filter((one) => one.required && given[one.name] === undefined);
    if (missing.length > 0) throw invalidParams(`Missing argument: ${missing.map((one) => one.name).join(', ')}`);
    const text = await prompt.render(granted(context), given).catch((error: unknown) => {
      throw isProblem(error) ? invalidParams(error.in(app.lang)) : error;
    });
    return { description: prompt.summary, messages: [{ role: 'user', content: { type: 'text', text } }] };
  },

  'completion/complete': async (params, ctx, session) => {
    const { app, offer, context, wire } = await open(session, ctx);
    const reference = (params['ref'] ?? {}) as Plain;
    const own =
      reference['type'] === 'ref/prompt'
        ? (await promptsOf(offer, context)).some((one) => one.name === reference['name'])
        : offer.resources.some((one) => one.uriTemplate === reference['uri']);
    if (own) return { completion: { values: [], hasMore: false } };
    const passed = await pass(app, 'completion/complete', params, wire);
    if (passed === undefined) throw invalidParams('There is no such prompt or resource template');
    return passed;
  },

  'logging/setLevel': async (params, ctx, session) => {
    const level = params['level'] as LogLevel;
    if (!logLevels.includes(level)) throw invalidParams(`level must be one of ${logLevels.join(', ')}`);
    session.logLevel = level;
    const { app, wire } = await open(session, ctx);
    await pass(app, 'logging/setLevel', params, wire);
    return {};
  },
};

async function relayed(app: Application, kind: ListKind, wire: Wire | undefined): Promise<readonly Plain[]> {
  return wire === undefined || app.relay === undefined ? [] : app.relay.list(kind, wire);
}

async function callRelayed(app: Application, name: string, params: Plain, wire: Wire | undefined): Promise<Plain> {
  const refusal = wire === undefined ? undefined : await app.policy.check(wire.context, name);
  if (refusal !== undefined) return { content: [{ type: 'text', text: refusal.in(app.lang) }], isError: true };
  const passed = await pass(app, 'tools/call', params, wire);
  if (passed === undefined) throw invalidParams(`Unknown tool: ${name}`);
  return passed;
}

/** To what stands behind this server; undefined where that knows nothing of it. */
async function pass(
  app: Application,
  method: string,
  params: Plain,
  wire: Wire | undefined,
): Promise<Plain | undefined> {
  const { relay } = app;
  if (relay === undefined || wire === undefined) return undefined;
  return withInput(params, wire, (given) => relay.answer(method, given, wire));
}

/** The SDK takes these out of a repeated call; what we pass it to must see them. */
function retryFields(ctx: ServerContext): Plain {
  const responses = ctx.mcpReq.inputResponses;
  const state = ctx.mcpReq.requestState();
  if (state !== undefined && typeof state !== 'string') throw invalidParams('requestState must be a string');
  return {
    ...(responses !== undefined && { inputResponses: responses }),
    ...(state !== undefined && { requestState: state }),
  };
}

type Admission = { readonly granted: Context } | { readonly refused: ReturnType<typeof asProblem> };

interface Opened {
  readonly app: Application;
  readonly offer: Catalogue;
  readonly context: Admission;
  /** Absent where the caller was refused: what is not ours then stays closed. */
  readonly wire: Wire | undefined;
}

async function open(session: Session, ctx: ServerContext): Promise<Opened> {
  const { app, connection } = await session.load().catch((error: unknown) => {
    // The store or the configuration cannot be used: say so to the client instead of dying silently.
    throw new ProtocolError(ProtocolErrorCode.InternalError, isProblem(error) ? error.in('en') : String(error));
  });
  const client = clientName(session, ctx);
  const token = ctx.mcpReq._meta?.progressToken;
  const call: Call = {
    ...connection.call,
    ...(client !== undefined && { client }),
    connection: connectionOf(session, connection, ctx),
    signal: ctx.mcpReq.signal,
    progress: (step) => {
      // A client that went away takes its progress with it.
      if (token !== undefined)
        ctx.mcpReq
          .notify({ method: 'notifications/progress', params: { progressToken: token, ...step } })
          .catch(() => undefined);
    },
  };
  const context = await app.context(call).then(
    (one): Admission => ({ granted: one }),
    (error: unknown): Admission => {
      if (isProblem(error)) return { refused: error };
      throw error;
    },
  );
  const role = 'granted' in context ? context.granted.actor.role : 'agent';
  const wire =
    'granted' in context && connection.toolsets.includes('upstream')
      ? wireOf(session, connection, context.granted, ctx)
      : undefined;
  return { app, offer: offered(await app.catalog(), connection.toolsets, role), context, wire };
}

function granted(context: Admission): Context {
  if ('granted' in context) return context.granted;
  throw new ProtocolError(ProtocolErrorCode.InvalidRequest, context.refused.in('en'));
}

/** What this connection sees: its toolsets, and `admin` only where a person is connected. */
function offered(catalog: Catalogue, toolsets: readonly Toolset[], role: string): Catalogue {
  const visible = toolsets.filter((one) => one !== 'admin' || isPersonal(role));
  const offers = known.get(catalog) ?? new Map<string, Catalogue>();
  known.set(catalog, offers);
  const key = visible.join();
  const offer = offers.get(key) ?? select(catalog, visible);
  offers.set(key, offer);
  return offer;
}

/** The same few selections are asked for at every call. */
const known = new WeakMap<Catalogue, Map<string, Catalogue>>();

function select(catalog: Catalogue, visible: readonly Toolset[]): Catalogue {
  const has = (one: { readonly toolsets: readonly Toolset[] }) =>
    one.toolsets.some((toolset) => visible.includes(toolset));
  return {
    operations: catalog.operations.filter(has),
    resources: catalog.resources.filter(has),
    prompts: catalog.prompts.filter(has),
    promptsFor: async (context) => ((await catalog.promptsFor?.(context)) ?? []).filter(has),
  };
}

async function promptsOf(offer: Catalogue, context: Admission): Promise<readonly Prompt[]> {
  const more = 'granted' in context ? await offer.promptsFor?.(context.granted) : undefined;
  return [...offer.prompts, ...(more ?? [])];
}

function cursorOf(params: Plain): string | undefined {
  return typeof params['cursor'] === 'string' ? params['cursor'] : undefined;
}

function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

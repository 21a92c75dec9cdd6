import { randomUUID } from 'node:crypto';
import type { ServerContext } from '@modelcontextprotocol/server';
import { CLIENT_INFO_META_KEY, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Application, Call } from '../kernel/application.ts';
import type { Context } from '../kernel/context.ts';
import { asProblem, invoke } from '../kernel/invoke.ts';
import type { Module } from '../kernel/operation.ts';
import { isProblem } from '../kernel/problem.ts';
import type { ListKind, Plain, Wire } from '../kernel/relay.ts';
import type { Recorded } from '../kernel/store.ts';
import type { Toolset } from '../kernel/toolset.ts';
import { failure } from './envelope.ts';
import { listResources, matchTemplate } from './mcp-resources.ts';
import { listTools, findTool, wantsUnderscore } from './mcp-tools.ts';
import { problemText } from './text.ts';

/** One client's connection: which tools it sees and who it is. */
export interface Connection {
  readonly toolsets: readonly Toolset[];
  readonly call: Pick<Call, 'role' | 'identity' | 'authenticated' | 'runId'>;
}

type Handler = (params: Plain, ctx: ServerContext, session: Session) => Promise<Plain>;

/** The application and what this client may see of it. */
export interface Served {
  readonly app: Application;
  readonly connection: Connection;
}

export interface Session {
  readonly id: string;
  readonly server: Server;
  readonly load: () => Promise<Served>;
  /** Addresses that a 2025-era client subscribed to; 2026-era subscriptions are the SDK's. */
  readonly subscribed: Set<string>;
}

const instructions =
  'Sekisho is the checkpoint for this project. Begin with state_gate.get_state: it says where the current run stands, what is missing and which events you may emit. ' +
  'Submit evidence with state_gate.emit_event; the gate decides the transition. Tools that the current state does not permit are refused.';

/** A server for one connection. It loads the application only when the first request needs it, so that `initialize` is fast. */
export function createSession(version: string, load: () => Promise<Served>): Session {
  const server = new Server(
    { name: 'sekisho', title: 'Sekisho', version },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        prompts: { listChanged: true },
      },
      instructions,
    },
  );
  const session: Session = { id: randomUUID(), server, load, subscribed: new Set() };
  // The fallback is not bound to the SDK's result schemas: what a tool returns goes out as it is.
  server.fallbackRequestHandler = async (request, ctx) => {
    const handler = handlers[request.method];
    if (handler === undefined) throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found');
    return { ...(await handler((request.params ?? {}) as Plain, ctx, session)) };
  };
  return session;
}

const handlers: Readonly<Record<string, Handler>> = {
  'tools/list': async (_params, ctx, session) => {
    const { app, offer, wire } = await open(session, ctx);
    const own = listTools(offer.operations, wantsUnderscore(app.toolNames, legacyClient(session, ctx)));
    return { tools: [...own, ...(await relayed(app, 'tools', wire))] };
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
    return { content: [{ type: 'text', text: JSON.stringify(answer.output) }], structuredContent: answer.output };
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
      const variables = matchTemplate(resource.uriTemplate, uri);
      const value = variables === undefined ? undefined : await resource.read(granted(context), variables);
      if (value !== undefined)
        return {
          contents: [
            { uri, mimeType: resource.mimeType, text: typeof value === 'string' ? value : JSON.stringify(value) },
          ],
        };
    }
    const passed = wire === undefined ? undefined : await app.relay?.answer('resources/read', params, wire);
    if (passed !== undefined) return passed;
    throw new ProtocolError(ProtocolErrorCode.ResourceNotFound, `There is no resource ${uri}`, { uri });
  },

  'resources/subscribe': async (params, _ctx, session) => {
    session.subscribed.add(String(params['uri']));
    return {};
  },

  'resources/unsubscribe': async (params, _ctx, session) => {
    session.subscribed.delete(String(params['uri']));
    return {};
  },

  'prompts/list': async (_params, ctx, session) => {
    const { app, offer, wire } = await open(session, ctx);
    const own = offer.prompts.map(({ name, summary, arguments: args }) => ({
      name,
      description: summary,
      arguments: args,
    }));
    return { prompts: [...own, ...(await relayed(app, 'prompts', wire))] };
  },

  'prompts/get': async (params, ctx, session) => {
    const { app, offer, context, wire } = await open(session, ctx);
    const prompt = offer.prompts.find((one) => one.name === params['name']);
    if (prompt === undefined) {
      const passed = wire === undefined ? undefined : await app.relay?.answer('prompts/get', params, wire);
      if (passed !== undefined) return passed;
      throw invalidParams(`Unknown prompt: ${String(params['name'])}`);
    }
    const given = (params['arguments'] ?? {}) as Record<string, string>;
    const missing = prompt.arguments.filter((one) => one.required && given[one.name] === undefined);
    if (missing.length > 0) throw invalidParams(`Missing argument: ${missing.map((one) => one.name).join(', ')}`);
    const text = await prompt.render(granted(context), given);
    return { description: prompt.summary, messages: [{ role: 'user', content: { type: 'text', text } }] };
  },
};

async function relayed(app: Application, kind: ListKind, wire: Wire | undefined): Promise<readonly Plain[]> {
  return wire === undefined || app.relay === undefined ? [] : app.relay.list(kind, wire);
}

async function callRelayed(app: Application, name: string, params: Plain, wire: Wire | undefined): Promise<Plain> {
  const refusal = wire === undefined ? undefined : await app.policy.check(wire.context, name);
  if (refusal !== undefined)
    return { content: [{ type: 'text', text: problemText(app.lang, refusal) }], isError: true };
  const passed = wire === undefined ? undefined : await app.relay?.answer('tools/call', params, wire);
  if (passed === undefined) throw invalidParams(`Unknown tool: ${name}`);
  return passed;
}

/** Tells this client what a journal entry changed. */
export async function notifyOf(session: Session, changes: Changes, modern: boolean): Promise<void> {
  for (const uri of changes.uris) {
    if (modern || session.subscribed.has(uri)) await session.server.sendResourceUpdated({ uri });
  }
  if (changes.list) await session.server.sendResourceListChanged();
}

export interface Changes {
  readonly uris: readonly string[];
  readonly list: boolean;
}

export function changesOf(catalog: Pick<Module, 'resources'>, entry: Recorded): Changes {
  const changes = catalog.resources.map((resource) => resource.changed(entry)).filter((one) => one !== undefined);
  return { uris: changes.flatMap((one) => one.uris), list: changes.some((one) => one.list) };
}

type Admission = { readonly granted: Context } | { readonly refused: ReturnType<typeof asProblem> };

interface Opened {
  readonly app: Application;
  readonly offer: Module;
  readonly context: Admission;
  /** Absent where the caller was refused: what is not ours then stays closed. */
  readonly wire: Wire | undefined;
}

async function open(session: Session, ctx: ServerContext): Promise<Opened> {
  const { app, connection } = await session.load().catch((error: unknown) => {
    // The store or the configuration cannot be used: say so to the client instead of dying silently.
    throw new ProtocolError(
      ProtocolErrorCode.InternalError,
      isProblem(error) ? problemText('en', error) : String(error),
    );
  });
  const client = clientName(session, ctx);
  const token = ctx.mcpReq._meta?.progressToken;
  const call: Call = {
    ...connection.call,
    ...(client !== undefined && { client }),
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

function wireOf(session: Session, connection: Connection, context: Context, ctx: ServerContext): Wire {
  const modern = ctx.mcpReq.envelope !== undefined;
  return {
    context,
    connection: modern ? JSON.stringify([connection.call, clientName(session, ctx)]) : session.id,
    era: modern ? 'modern' : 'legacy',
    meta: ctx.mcpReq._meta,
    notify: (method, params) => ctx.mcpReq.notify({ method, params } as Parameters<typeof ctx.mcpReq.notify>[0]),
    request: (method, params) => ctx.mcpReq.send({ method, params } as never, anything) as Promise<Plain>,
  };
}

const anything = z.looseObject({});

function granted(context: Admission): Context {
  if ('granted' in context) return context.granted;
  throw new ProtocolError(ProtocolErrorCode.InvalidRequest, problemText('en', context.refused));
}

/** What this connection sees: its toolsets, and `admin` only where a person is connected. */
function offered(catalog: Module, toolsets: readonly Toolset[], role: string): Module {
  const visible = toolsets.filter((one) => one !== 'admin' || role !== 'agent');
  const has = (one: { readonly toolsets: readonly Toolset[] }) =>
    one.toolsets.some((toolset) => visible.includes(toolset));
  return {
    operations: catalog.operations.filter(has),
    resources: catalog.resources.filter(has),
    prompts: catalog.prompts.filter(has),
  };
}

function clientName(session: Session, ctx: ServerContext): string | undefined {
  const envelope = ctx.mcpReq.envelope as Record<string, { name?: string } | undefined> | undefined;
  return envelope?.[CLIENT_INFO_META_KEY]?.name ?? legacyClient(session, ctx);
}

/** The name given at `initialize`; a 2026-era client gave none, and its list must not vary. */
function legacyClient(session: Session, ctx: ServerContext): string | undefined {
  return ctx.mcpReq.envelope === undefined ? session.server.getClientVersion()?.name : undefined;
}

function cursorOf(params: Plain): string | undefined {
  return typeof params['cursor'] === 'string' ? params['cursor'] : undefined;
}

function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

import type { Application, OperationCall } from '../../kernel/application.ts';
import type { ClientConnection, Context } from '../../kernel/context.ts';
import type { Exchange } from '../../kernel/exchange.ts';
import type { Catalogue } from '../../kernel/operation.ts';
import { type Problem, isProblem } from '../../kernel/problem.ts';
import type { Wire } from '../../kernel/relay.ts';
import type { Toolset } from '../../kernel/toolset.ts';
import { type Served, type McpSession, connectionOf, wireOf } from './session.ts';

export type Admission = { readonly granted: Context } | { readonly refused: Problem };

/** The application, catalogue and context that a request works with. */
export interface Opened {
  readonly app: Application;
  readonly offer: Catalogue;
  readonly context: Admission;
  /** The connection to the upstreams; undefined if the caller was refused or has no `upstream` toolset. */
  readonly wire: Wire | undefined;
}

export async function openExchange(session: McpSession, exchange: Exchange): Promise<Opened> {
  const served = await session.load();
  const { app, connection } = served;
  const call = callOf(session, served, exchange);
  const context = await admit(app, call);
  const person = 'granted' in context && context.granted.actor.person;
  const wire =
    'granted' in context && connection.toolsets.includes('upstream')
      ? wireOf(session, call.connection, context.granted, exchange)
      : undefined;
  return { app, offer: select(await app.catalog(), visibleToolsets(connection.toolsets, person)), context, wire };
}

async function admit(app: Application, call: OperationCall): Promise<Admission> {
  try {
    return { granted: await app.context(call) };
  } catch (error) {
    if (isProblem(error)) return { refused: error };
    throw error;
  }
}

export function callOf(
  session: McpSession,
  { connection }: Served,
  exchange: Exchange,
): OperationCall & { readonly connection: ClientConnection } {
  const { name } = exchange.client;
  const token = exchange.meta?.['progressToken'];
  return {
    principal: connection.call.principal,
    agentOnly: connection.call.agentOnly,
    runId: connection.call.runId,
    client: name,
    connection: connectionOf(session, connection, exchange),
    signal: exchange.signal,
    progress: (step) => {
      // If the client has gone, its progress is dropped.
      if (token !== undefined)
        exchange.notify('notifications/progress', { progressToken: token, ...step }).catch(() => undefined);
    },
  };
}

export function requireContext(context: Admission): Context {
  if ('granted' in context) return context.granted;
  throw context.refused;
}

/** The toolsets that a connection sees. Only a person sees `admin`. */
export function visibleToolsets(toolsets: readonly Toolset[], person: boolean): readonly Toolset[] {
  return person ? toolsets : toolsets.filter((one) => one !== 'admin');
}

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

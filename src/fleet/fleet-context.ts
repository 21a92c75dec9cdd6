import type { Actor, Context } from '../kernel/context.ts';
import { spawnHost } from './host/spawn-host.ts';

/** Starts the host of a queued agent. `secrets` are variables for its child that are stored nowhere. */
export function launchHost(
  context: Context,
  agentId: string,
  secrets?: Readonly<Record<string, string>>,
): Promise<void> {
  const { database, lang, project, environment } = context;
  const ticket = { agentId, db: database, lang, state: project.state, ...(secrets && { secrets }) };
  return spawnHost(ticket, environment);
}

/** The context of code that looks after agents: servers, hosts and the daemon. */
export interface FleetContext extends Pick<
  Context,
  'store' | 'now' | 'newId' | 'log' | 'say' | 'callback' | 'environment'
> {
  readonly actor: Actor;
  launch(agentId: string): Promise<void>;
}

const system: Actor = { role: 'system', id: 'fleet', verified: true, person: false };

/** A context for automatic actions, which no caller asked for. */
export function fleetContext(context: Context): FleetContext {
  const { store, log, say, callback, environment } = context;
  return {
    store,
    log,
    say,
    callback,
    environment,
    now: () => context.now(),
    newId: (prefix) => context.newId(prefix),
    actor: system,
    launch: (agentId) => launchHost(context, agentId),
  };
}

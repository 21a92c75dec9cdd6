import type { Actor, Context } from '../kernel/context.ts';
import { spawnHost } from './host/spawn-host.ts';

/** Starts the host of an agent that was claimed; `secrets` are variables for its child that are kept nowhere. */
export function launchHost(
  context: Context,
  agentId: string,
  secrets?: Readonly<Record<string, string>>,
): Promise<void> {
  const { database, lang, project, environment } = context;
  const ticket = { agentId, db: database, lang, state: project.state, ...(secrets && { secrets }) };
  return spawnHost(ticket, environment);
}

/** What looks after agents: servers, hosts and the daemon alike. */
export interface FleetContext extends Pick<
  Context,
  'store' | 'now' | 'newId' | 'log' | 'say' | 'callback' | 'environment'
> {
  readonly actor: Actor;
  launch(agentId: string): Promise<void>;
}

const system: Actor = { role: 'system', id: 'fleet', verified: true, person: false };

/** What is done because of what was found, not because somebody asked. */
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

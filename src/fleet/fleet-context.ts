import type { Actor, Context } from '../kernel/context.ts';

/** Starts the host of an agent that was claimed; `secrets` are variables for its child that are kept nowhere. */
export type LaunchHost = (agentId: string, secrets?: Readonly<Record<string, string>>) => Promise<void>;

/** What looks after agents: servers, hosts and the daemon alike. */
export interface FleetContext extends Pick<Context, 'store' | 'now' | 'newId' | 'log' | 'say'> {
  readonly actor: Actor;
  readonly launch: LaunchHost;
}

const system: Actor = { role: 'system', id: 'fleet', verified: true };

/** What is done because of what was found, not because somebody asked. */
export function fleetContext(context: Context): FleetContext {
  const { store, log, say } = context;
  return {
    store,
    log,
    say,
    now: () => context.now(),
    newId: (prefix) => context.newId(prefix),
    actor: system,
    launch: context.ports.fleet.launch,
  };
}

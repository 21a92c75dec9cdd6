/** What others may use of the fleet: looking after agents, watching them, and running any program under a host. */
export { agents } from './agents.ts';
export { fleetContext } from './fleet-context.ts';
export { startInstance } from './instance.ts';
export { cancelAgent } from './cancel.ts';
export { followFleet, readSnapshot } from './live.ts';
export type { Snapshot } from './live.ts';
export { keepFleet } from './keep.ts';
export { checkInBackground, probeRole } from './probe.ts';
export { readHealth, recordCheck } from './health.ts';
export { settle } from './settle.ts';
export { fleetSocket } from './socket.ts';
export type { HookWrite, Hooks } from './spec.ts';

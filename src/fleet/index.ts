/** What others may use of the fleet: looking after agents, watching them, and running any program under a host. */
export { problem as fleetProblem } from './problem.ts';
export { profiles } from './ports.ts';
export { agents } from './agents.ts';
export { fleetContext } from './fleet-context.ts';
export { startInstance } from './host/instance.ts';
export { placedFiles } from './host/prepare.ts';
export { cancelAgent } from './plan/cancel.ts';
export { followFleet, readSnapshot } from './view/live.ts';
export type { Snapshot } from './view/live.ts';
export { keepFleet } from './plan/keep.ts';
export { checkInBackground, probeRole } from './role/probe.ts';
export { readHealth, recordCheck } from './role/health.ts';
export { readAgent as readAgentRow } from './agent-rows.ts';
export type { AgentState } from './view/state.ts';
export { agentState, isLive } from './view/state.ts';
export { settle } from './plan/settle.ts';
export type { Callbacks } from './host/spec.ts';

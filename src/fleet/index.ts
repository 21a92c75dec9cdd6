/** The fleet's public interface: looking after agents, watching them, and running any program under a host. */
export { problem as fleetProblem } from './problem.ts';
export { agents } from './agents.ts';
export { fleetContext } from './fleet-context.ts';
export { startInstance } from './host/instance.ts';
export { filesNotWrittenByAgents } from './host/own-tree.ts';
export { cancelAgent } from './plan/cancel.ts';
export { type Snapshot, followFleet, readSnapshot } from './view/live.ts';
export { pausedProblem, readPause } from './plan/pause.ts';
export { keepFleet } from './plan/keep.ts';
export { checkInBackground, probeRoles } from './role/probe.ts';
export { type Check, readHealth, recordCheck } from './role/health.ts';
export { readAgent as readAgentRow } from './agent-rows.ts';
export { type AgentState, agentState, isLive } from './view/state.ts';
export { type Imported, importRoles } from './role/import-roles.ts';
export { settle } from './plan/settle.ts';
export type { Callbacks } from './host/spec.ts';
export { fleetIsolation } from './settings.ts';

/** What other modules may use of the gate. */
export { confine } from './artifacts.ts';
export type { Definition, GuardSpec } from './definition.ts';
export { readDefinition } from './definition-file.ts';
export { emit } from './emit.ts';
export { findDefinition } from './catalog.ts';
export { guardArtifactTypes } from './guards.ts';
export { connectionHolder, holdWrite, instanceHolder, letGoWrite } from './holder.ts';
export { readStanding } from './standing.ts';
export { startRun } from './start-run.ts';
export { commandsOf, trustWrite } from './trust.ts';
export { readRun } from './runs.ts';
export { missingGuards, viewEvents } from './view.ts';

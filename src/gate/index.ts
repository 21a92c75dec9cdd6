/** What other modules may use of the gate. */
export { confine } from './artifacts.ts';
export type { Definition, GuardSpec } from './definition.ts';
export { readDefinition } from './definition-file.ts';
export { emit } from './emit.ts';
export { guardArtifactTypes } from './guards.ts';
export { startRun } from './start-run.ts';
export { commandsOf, trustWrite } from './trust.ts';

/** The gate's exports for hooks. They are not in `index.ts`, which would make hooks load the guards. */
export { refusal as gateRefusal } from './problem.ts';
export { permissionsOf, readBoundRuns } from './run/bound-run.ts';
export { instanceHolder } from './run/holder.ts';
export type { BoundRun } from './run/bound-run.ts';
export { missingArtifacts } from './evidence/missing-artifacts.ts';
export { personCommands } from './definition/person-command.ts';
export { statePrompt } from './run/prompt.ts';
export { decideIn, withoutAsking } from './definition/permissions.ts';
export type { Call } from './definition/permissions.ts';
export { possibleEvents } from './definition/role.ts';

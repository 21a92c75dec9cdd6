/** The gate's exports for hooks. They are not in `index.ts`, which would make hooks load the guards. */
export { refusal as gateRefusal } from './problem.ts';
export { type BoundRun, missingArtifacts, permissionsOf, readBoundRuns } from './run/bound-run.ts';
export { instanceHolder } from './run/holder.ts';
export { personCommands } from './definition/person-command.ts';
export { statePrompt } from './run/prompt.ts';
export { type Call, decideIn, withoutAsking } from './definition/permissions.ts';
export { possibleEvents } from './definition/role.ts';

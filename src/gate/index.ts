export { phrase as gatePhrase } from './phrase.ts';
export { problem as gateProblem } from './problem.ts';
export { confine } from './evidence/artifacts.ts';
export type { Definition, GuardSpec } from './definition/definition.ts';
export { readDefinition } from './definition/file.ts';
export { listFolder, pathOf } from './worktree/names.ts';
export { emit } from './run/emit.ts';
export { findDefinition } from './definition/catalogue.ts';
export { artifactTypesIn, countedIn } from './guards.ts';
export {
  bindWrite,
  connectionHolder,
  endedCallerWrites,
  giveUpWrites,
  holdersOf,
  holdWrite,
  instanceHolder,
  letGoConnectionsWrite,
  letGoWrite,
} from './run/holder.ts';
export { readBoundRuns } from './run/bound-run.ts';
export { holdInsteadWrite } from './run/abort.ts';
export { runStatuses, runStatusOf } from './run/status.ts';
export { readRunPosition } from './run/run-position.ts';
export { treeOf } from './run/tree.ts';
export { startRun } from './run/start-run.ts';
export type { StartedRun, UnplacedRun } from './run/start-run.ts';
export { placeRunWrites } from './run/place-run.ts';
export { keepDecisions } from './run/keep-decisions.ts';
export { readPersonWait } from './view/person-wait.ts';
export { runOfTree, workingPapersOf } from './evidence/working-papers.ts';
export { enteredQuery, pastEventsQuery, readRun, runPositionQuery } from './run/runs.ts';
export { missingGuards, viewEvents } from './view/events.ts';
export { findGuardedRun } from './run/tree-run.ts';

/** The exports of this module for others. */
export {
  type Change,
  type ChangeRecord,
  agentOwner,
  changeQuery,
  changeRecord,
  changesQuery,
  emptyTaskChangesQuery,
  taskOwner,
  toChange,
  updateChange,
} from './change.ts';
export { type PlannedChange, findParent, folderIn, planChange, whyNoTree } from './plan-change.ts';
export { TreeRefusal } from './refusal.ts';
export { ensureTree, removeTree } from './tree.ts';
export { type TreeSetup, prepareTree } from './prepare-tree.ts';
export { settings as changeSettings } from './settings.ts';
export {
  type Attempt,
  type Recorder,
  type StagedCommit,
  discardWrites,
  keepLeftovers,
  keptFiles,
  stageAttempt,
  treeAuthor,
} from './record.ts';
export { changeSchema } from './shapes.ts';

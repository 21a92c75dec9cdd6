import type { Catalogue } from '../kernel/operation.ts';
import { abortRun } from './operation/abort-run.ts';
import { acceptChanges } from './operation/accept-changes.ts';
import { approve } from './operation/approve.ts';
import { createRun } from './operation/create-run.ts';
import { describeProcess } from './operation/describe-process.ts';
import { describeProject } from './operation/describe-project.ts';
import { describeRun } from './operation/describe-run.ts';
import { emitEvent } from './operation/emit-event.ts';
import { forgetEvidence } from './operation/forget-evidence.ts';
import { getHistory } from './operation/get-history.ts';
import { getState } from './operation/get-state.ts';
import { listEvents } from './operation/list-events.ts';
import { listProcesses } from './operation/list-processes.ts';
import { listRuns } from './operation/list-runs.ts';
import { listWaiting } from './operation/list-waiting.ts';
import { readEvidence } from './operation/read-evidence.ts';
import { reject } from './operation/reject.ts';
import { trust } from './operation/trust.ts';
import { useRun } from './operation/use-run.ts';
import { runSummary } from './view/summary.ts';

export const catalogue: Catalogue = {
  operations: [
    createRun,
    getState,
    listEvents,
    emitEvent,
    listRuns,
    listProcesses,
    getHistory,
    approve,
    reject,
    listWaiting,
    describeRun,
    describeProcess,
    describeProject,
    readEvidence,
    abortRun,
    acceptChanges,
    forgetEvidence,
    trust,
    useRun,
  ],
  resources: [runSummary],
  prompts: [],
};

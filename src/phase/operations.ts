import type { Catalogue } from '../kernel/operation.ts';
import { diffPrompt } from './operation/diff-prompt.ts';
import { getPhaseContext } from './operation/get-phase-context.ts';
import { injectPhasePrompt } from './operation/inject-phase-prompt.ts';
import { labelPrompt } from './operation/label-prompt.ts';
import { listPromptVersions } from './operation/list-prompt-versions.ts';
import { listPrompts } from './operation/list-prompts.ts';
import { phaseStatus } from './operation/phase-status.ts';
import { previewPrompt } from './operation/preview-prompt.ts';
import { publishPrompt } from './operation/publish-prompt.ts';
import { restartPhases } from './operation/restart-phases.ts';
import { rollBackPrompt } from './operation/roll-back-prompt.ts';
import { savePhaseResult } from './operation/save-phase-result.ts';
import { showPrompt } from './operation/show-prompt.ts';
import { transitionToNextPhase } from './operation/transition-to-next-phase.ts';
import { withdrawPrompt } from './operation/withdraw-prompt.ts';
import { phasePrompts } from './prompt/serve.ts';

export const catalogue: Catalogue = {
  operations: [
    injectPhasePrompt,
    transitionToNextPhase,
    getPhaseContext,
    savePhaseResult,
    phaseStatus,
    restartPhases,
    listPrompts,
    listPromptVersions,
    showPrompt,
    previewPrompt,
    publishPrompt,
    labelPrompt,
    rollBackPrompt,
    withdrawPrompt,
    diffPrompt,
  ],
  resources: [],
  prompts: [],
  promptsFor: phasePrompts,
};

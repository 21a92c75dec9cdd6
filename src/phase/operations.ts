import type { Module } from '../kernel/operation.ts';
import { getPhaseContext } from './operation/get-phase-context.ts';
import { injectPhasePrompt } from './operation/inject-phase-prompt.ts';
import { savePhaseResult } from './operation/save-phase-result.ts';
import { transitionToNextPhase } from './operation/transition-to-next-phase.ts';

export const phase: Module = {
  operations: [injectPhasePrompt, transitionToNextPhase, getPhaseContext, savePhaseResult],
  resources: [],
  prompts: [],
};

import type { Texts } from '../texts.ts';
import { fleet } from './en/fleet.ts';
import { gate } from './en/gate.ts';
import { hook } from './en/hook.ts';
import { kernel } from './en/kernel.ts';
import { phase } from './en/phase.ts';
import { upstream } from './en/upstream.ts';
import { work } from './en/work.ts';

/** One part per module; a code, refusal or phrase that is in none of them does not compile. */
export const en: Texts = {
  problems: {
    ...kernel.problems,
    ...gate.problems,
    ...hook.problems,
    ...upstream.problems,
    ...fleet.problems,
    ...phase.problems,
    ...work.problems,
  },
  refusals: {
    ...kernel.refusals,
    ...gate.refusals,
    ...hook.refusals,
    ...upstream.refusals,
    ...fleet.refusals,
    ...phase.refusals,
    ...work.refusals,
  },
  phrases: {
    ...kernel.phrases,
    ...gate.phrases,
    ...hook.phrases,
    ...upstream.phrases,
    ...fleet.phrases,
    ...phase.phrases,
    ...work.phrases,
  },
};

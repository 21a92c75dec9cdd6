import type { Texts } from '../texts.ts';
import { fleet } from './ja/fleet.ts';
import { gate } from './ja/gate.ts';
import { hook } from './ja/hook.ts';
import { kernel } from './ja/kernel.ts';
import { phase } from './ja/phase.ts';
import { upstream } from './ja/upstream.ts';
import { work } from './ja/work.ts';

/** One part per module; a code, refusal or phrase that is in none of them does not compile. */
export const ja: Texts = {
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

import { definePhrases } from '../../kernel/text/text.ts';
import * as ja from './ja.ts';

type Name = { readonly name: string };

export const english = {
  noGuard: ({ name }: Name) => `There is no guard "${name}".`,
  cycle: ({ name, trail }: Name & { trail: readonly string[] }) =>
    `The guard "${name}" contains itself (${trail.join(' → ')}).`,
  breakCycle: () => 'Break the cycle.',
  noType: ({ name }: Name) => `There is no guard of type "${name}".`,
  badGuard: ({ type, wrong }: { type: string; wrong: { readonly en: string; readonly ja: string } }) =>
    `${type} guard: ${wrong.en}.`,
  seeParameters: () => 'See docs/process-language.md for its parameters.',
  alwaysHolds: () => 'min_count: 0 is always satisfied.',
  askForOne: () => 'Leave the guard out, or ask for at least one.',
  noApproval: ({ name }: Name) => `There is no event "${name}" to approve with.`,
  nameApproval: () => 'Name the approving event of this process.',
  noApprover: ({ name }: Name) => `There is no role "${name}" to approve.`,
  unused: ({ name }: Name) => `Nothing uses the guard "${name}".`,
  useOrRemove: () => 'Use it in a transition or remove it.',
  undeclared: ({ name, variable }: Name & { variable: string }) =>
    `The guard "${name}" reads context.${variable}, which no event declares: a payload that has it is not merged.`,
  declare: ({ variable }: { variable: string }) =>
    `Declare ${variable} in an event's payload_schema or context, under inputs, or in initial_context.`,
  selfReported: ({ name, variable, event }: Name & { variable: string; event: string }) =>
    `The guard "${name}" reads context.${variable}, which an agent sets itself with "${event}".`,
  guardEvidence: () => 'Guard an artifact or a command instead, or let only a reviewer emit that event.',
};

/** Findings about guards. */
export const guardsText = definePhrases(english, ja.guardsText);

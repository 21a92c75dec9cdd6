import { type Sentence, definePhrases } from '../../kernel/text/text.ts';
import { listEnglish } from '../../kernel/text/list.ts';
import * as ja from './ja.ts';

type Name = { readonly name: string };
type Known = { readonly known: readonly string[] };

export const english = {
  wildcardState: () => 'A transition cannot start from or lead to "*".',
  oneEachState: () => 'Write one transition for each state.',
  noState: ({ name }: Name) => `There is no state "${name}".`,
  useOne: ({ known }: Known) => `Use one of: ${listEnglish(known)}.`,
  useOneOrAdd: ({ known, section }: Known & { section: string }) =>
    `Use one of: ${listEnglish(known)}, or add it under ${section}.`,
  noEvent: ({ name }: Name) => `There is no event "${name}".`,
  wildcardRoles: () => '"*" admits every role, so the others in this list have no effect.',
  allOrNameRoles: () => 'Write ["*"], or name the roles.',
  partWildcard: ({ name }: Name) => `"${name}" is not a role: "*" can only stand alone, for every role.`,
  wholeName: () => 'Write "*" or a whole name.',
  noRole: ({ name }: Name) => `There is no role "${name}".`,
  noArtifactType: ({ name }: Name) => `There is no artifact type "${name}".`,
  isTerminal: () => 'is_terminal is read as is_final.',
  writeIsFinal: () => 'Write is_final.',
  requiredInStates: () =>
    'required_in_states is read as required_artifacts of those states. This is a hint only: a run can leave the state without them unless a guard requires them.',
  writeRequired: () => 'Write required_artifacts in the states.',
  requiredForTransitions: () => 'required_for_transitions is accepted but has no effect.',
  guardTransitions: () => 'Guard the transitions with { type: artifact, artifact_type: … }.',
  guardTwice: () => 'guard and guards are both given.',
  keepOne: () => 'Keep one of them.',
  wildcardEvents: () => '"*" admits every event, so the others in this list have no effect.',
  allOrNameEvents: () => 'Write ["*"], or name the events.',
  twice: ({ name, section }: Name & { section: string }) => `"${name}" is defined twice under ${section}.`,
  renameOne: () => 'Rename or remove one of them.',
  agentDecides: ({ name }: Name) => `The role "${name}" approves or rejects, so it cannot be an agent's.`,
  anotherRole: () => 'Remove kind: agent, or let another role approve.',
  agentNever: () => 'Agents cannot approve or reject: their answers do not count.',
  personApproves: () => 'Let a role for people approve.',
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
  noFinal: () => 'No state is final, so no run can ever end.',
  markFinal: () => 'Mark one with is_final: true.',
  unreachable: ({ name }: Name) => `No transition leads to "${name}".`,
  addOrRemoveState: () => 'Add a transition to it, or remove it.',
  leavesFinal: ({ name }: Name) => `"${name}" is final: a run ends there, so this transition never happens.`,
  removeFinal: () => 'Remove the transition or is_final.',
  deadEnd: ({ name }: Name) => `From "${name}" no final state can be reached.`,
  leadOn: () => 'Add a transition that leads on, or mark it is_final.',
  unwatched: ({ name }: Name) =>
    `"${name}" denies editing tools, but a shell or another server can still edit: no way out of it looks at the files.`,
  watch: () => 'Guard its way out with { type: worktree, changed_only: […] }.',
  locked: ({ name }: Name) => `In "${name}" the gate's own emit_event is denied, so an agent can never leave it.`,
  unlock: () => 'Remove state_gate from denied.',
  unusedEvent: ({ name }: Name) => `No transition uses the event "${name}".`,
  addOrRemoveEvent: () => 'Add a transition or remove the event.',
  shadowed: () => 'An earlier unguarded transition of the same state and event always wins.',
  guardOne: () => 'Guard one of them or remove this one.',
};

/** Findings about a definition. Each has a sentence and a remedy. */
export const lintText = definePhrases(english, ja.lintText);

export function suggestNames(known: Iterable<string>, section: string): Sentence {
  return lintText.useOneOrAdd({ known: [...known], section });
}

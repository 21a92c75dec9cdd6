import { definePhrases } from '../../kernel/text/text.ts';
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
};

/** Findings about names. Each has a sentence and a remedy. */
export const lintText = definePhrases(english, ja.lintText);

import { definePhrases } from '../../kernel/text/text.ts';
import * as ja from './ja.ts';

type Name = { readonly name: string };

export const english = {
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

/** Findings about the graph of states. */
export const shapeText = definePhrases(english, ja.shapeText);

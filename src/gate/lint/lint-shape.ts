import { lintText } from './lint-text.ts';
import { type Definition, type State, guardsOutOf } from '../definition/definition.ts';
import type { Report } from '../definition/finding.ts';
import { looksAtTree } from '../guards.ts';
import { matchesAny, toolOf } from '../definition/permissions.ts';

/** Checks the graph of states: every state is reachable, and a final state can be reached. */
export function lintShape(definition: Definition, report: Report): void {
  const reachable = reachableStates(definition, definition.initial_state);
  const finals = definition.states.filter((state) => state.is_final);

  if (finals.length === 0) report.error('NO_FINAL_STATE', ['states'], lintText.noFinal(), lintText.markFinal());

  definition.states.forEach((state, at) => {
    const leaves = definition.transitions.findIndex((one) => one.from === state.name);
    if (!reachable.has(state.name))
      report.error('UNREACHABLE_STATE', ['states', at], lintText.unreachable(state), lintText.addOrRemoveState());
    const way = ['transitions', leaves];
    if (state.is_final && leaves >= 0)
      report.warning('LEAVES_FINAL_STATE', way, lintText.leavesFinal(state), lintText.removeFinal());
    if (
      !state.is_final &&
      finals.length > 0 &&
      ![...reachableStates(definition, state.name)].some((name) => finals.some((one) => one.name === name))
    )
      report.error('DEAD_END', ['states', at], lintText.deadEnd(state), lintText.leadOn());
    const isWatched = looksAtTree(guardsOutOf(definition, state.name), definition.guards);
    const permissions = ['states', at, 'tool_permissions'];
    if (!state.is_final && deniesEditing(state) && !isWatched)
      report.warning('UNWATCHED_STATE', permissions, lintText.unwatched(state), lintText.watch());
    const denied = state.tool_permissions?.denied ?? [];
    if (!state.is_final && matchesAny(denied, 'state_gate.emit_event'))
      report.error('LOCKED_STATE', [...permissions, 'denied'], lintText.locked(state), lintText.unlock());
  });

  definition.events.forEach((event, at) => {
    if (!definition.transitions.some((one) => one.event === event.name))
      report.warning('UNUSED_EVENT', ['events', at], lintText.unusedEvent(event), lintText.addOrRemoveEvent());
  });
  definition.transitions.forEach((transition, at) => {
    const earlier = definition.transitions.findIndex(
      (one, i) =>
        i < at &&
        one.from === transition.from &&
        one.event === transition.event &&
        one.guards.length === 0 &&
        one.allowed_roles === undefined,
    );
    if (earlier >= 0 && transition.guards.length === 0)
      report.warning('SHADOWED_TRANSITION', ['transitions', at], lintText.shadowed(), lintText.guardOne());
  });
}

const editors = ['Edit', 'Write', 'NotebookEdit'];

function deniesEditing({ tool_permissions: permissions }: State): boolean {
  if (permissions === undefined) return false;
  const { allowed, denied } = permissions;
  return editors.some(
    (tool) => matchesAny(denied, tool) || (allowed.length > 0 && !matchesAny(allowed.map(toolOf), tool)),
  );
}

export function reachableStates(definition: Definition, from: string): ReadonlySet<string> {
  const found = new Set([from]);
  const queue = [from];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    for (const transition of definition.transitions) {
      if (transition.from !== name || found.has(transition.to)) continue;
      found.add(transition.to);
      queue.push(transition.to);
    }
  }
  return found;
}

import type { Output } from '../../api/operations.ts';

type Run = Pick<Output<'describe_run'>, 'answers' | 'current_state' | 'transitions' | 'ways' | 'missing'>;
type Need = 'yours' | 'yours-and-others';

/**
 * The guards that wait for the reader's approval, alone or with that of others. Every other guard is left out: its own
 * reason says what is missing, and from whom.
 */
export function approvalNeeds({
  answers,
  current_state: state,
  transitions,
  ways,
  missing,
}: Run): ReadonlyMap<string, Need> {
  const needs = new Map<string, Need>();
  if (!answers.includes('approve')) return needs;
  const approvals = transitions
    .filter(({ from }) => from === state)
    .flatMap(({ guards }) => guards.filter(({ type }) => type === 'approval').map(({ name }) => name));
  const unmet = ways
    .flatMap(({ guards }) => guards)
    .filter((one) => !one.is_satisfied && !one.is_pending && approvals.includes(one.name));
  // `missing` lists what stays unsatisfied after the reader's approval. With the same reason, the approval does not count.
  for (const { name, reason } of unmet)
    if (!missing.includes(`${name}: ${reason}`))
      needs.set(name, missing.some((one) => one.startsWith(`${name}: `)) ? 'yours-and-others' : 'yours');
  // If several are not listed, one of them may want another event or role: their reasons say which.
  const unlisted = [...needs].filter(([, need]) => need === 'yours').map(([name]) => name);
  if (unlisted.length > 1) for (const name of unlisted) needs.delete(name);
  return needs;
}

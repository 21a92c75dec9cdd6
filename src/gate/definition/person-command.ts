import { type CountedApproval, type Definition, findState } from './definition.ts';
import { possibleEvents } from './role.ts';

/** Returns the command with which a person approves; undefined if the approving event has another name than `approve`. */
export function approveCommand({ event, role }: CountedApproval, run = ''): string | undefined {
  if (event !== 'approve') return undefined;
  const as = role === undefined || role === 'reviewer' ? '' : ` --role ${role}`;
  return `sekisho approve${run === '' ? '' : ` ${run}`}${as}`;
}

export function personCommand(run: { readonly id: string; readonly revision: number }, yes: CountedApproval): string {
  const role = yes.role === undefined ? '' : ` --role ${yes.role}`;
  return (
    approveCommand(yes, run.id) ??
    `sekisho gate emit-event --run-id ${run.id} --event-name ${yes.event}${role} --expected-revision ${run.revision} --idempotency-key ${yes.event}-${run.revision}`
  );
}

/** Returns the approval that a state waits for without a guard: only a reviewer's approval leads out of it. */
export function approvedByPersonOnly(definition: Definition, state: string): readonly CountedApproval[] {
  const leads = (role: string, only?: string) =>
    possibleEvents(definition, state, role).some(
      (event) =>
        (only === undefined || event === only) &&
        definition.transitions.some((one) => one.from === state && one.event === event && one.to !== state),
    );
  return leads('reviewer', 'approve') && !leads('agent') ? [{ event: 'approve', role: undefined }] : [];
}

/** Lists the commands with which a person gives the approvals that the run's state may wait for. */
export function personCommands(run: {
  readonly id: string;
  readonly revision: number;
  readonly state: string;
  readonly definition: Definition;
}): readonly string[] {
  const counted = findState(run.definition, run.state)?.counted ?? [];
  const yes = counted.length > 0 ? counted : approvedByPersonOnly(run.definition, run.state);
  return [...new Set(yes.map((one) => personCommand(run, one)))];
}

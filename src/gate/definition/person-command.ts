import { type Counted, type Definition, findState } from './definition.ts';
import { possibleEvents } from './role.ts';

/** What a person types to approve, whichever run it is; undefined where the yes is an event of another name. */
export function approveCommand({ event, role }: Counted, run = ''): string | undefined {
  if (event !== 'approve') return undefined;
  const as = role === undefined || role === 'reviewer' ? '' : ` --role ${role}`;
  return `sekisho approve${run === '' ? '' : ` ${run}`}${as}`;
}

/** What a person types to say yes. */
export function personCommand(run: { readonly id: string; readonly revision: number }, yes: Counted): string {
  const role = yes.role === undefined ? '' : ` --role ${yes.role}`;
  return (
    approveCommand(yes, run.id) ??
    `sekisho gate emit-event --run-id ${run.id} --event-name ${yes.event}${role} --expected-revision ${run.revision} --idempotency-key ${yes.event}-${run.revision}`
  );
}

/** No way out is an agent's, and a reviewer has one: their yes is waited for, although no guard counts it. */
export function approvedByPersonOnly(definition: Definition, state: string): readonly Counted[] {
  const leads = (role: string, only?: string) =>
    possibleEvents(definition, state, role).some(
      (event) =>
        (only === undefined || event === only) &&
        definition.transitions.some((one) => one.from === state && one.event === event && one.to !== state),
    );
  return leads('reviewer', 'approve') && !leads('agent') ? [{ event: 'approve', role: undefined }] : [];
}

/** Commands with which a person says the yes that ways out of the run's state may wait for. */
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

/** One event with everything that guards look at. */
export interface Step {
  readonly event: string;
  /** The person who emits it, by name. Absent: an agent. */
  readonly person?: string;
  /** The actor's role. Absent: `agent`; for a person `reviewer` if the event is approve or reject, otherwise `human`. */
  readonly role?: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  /** Files that are submitted with the event: path and content. */
  readonly artifacts?: Readonly<Record<string, string>>;
  /** Files that have changed since the state was entered. They always include the artifacts of this step. */
  readonly changed?: readonly string[];
  /** Results of guards that look outside, by the guard's name (its type if it is inline): `{ tests_pass: true }`. */
  readonly facts?: Readonly<Record<string, boolean>>;
}

export interface StepResult {
  readonly event: string;
  readonly from: string;
  readonly to: string;
  /** False if the run stayed in its state. */
  readonly moved: boolean;
  /** Unsatisfied guards of the transition, as `guard: reason`. */
  readonly missing: readonly string[];
  /** The reason why the gate refused the event. Absent if it accepted the event, even if only as evidence. */
  readonly refused?: { readonly code: string; readonly message: string };
}

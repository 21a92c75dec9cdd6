/** One event, with everything that guards look at. */
export interface Step {
  readonly event: string;
  /** Who emits it: a person of this name. Absent: an agent. */
  readonly person?: string;
  /** Absent: `agent`; for a person `reviewer` where the event is approve or reject, else `human`. */
  readonly role?: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  /** Files that are handed in with the event: path and content. */
  readonly artifacts?: Readonly<Record<string, string>>;
  /** Files that have changed since the state was entered. The artifacts of this step are always among them. */
  readonly changed?: readonly string[];
  /** What guards say that look outside, by the guard's name (its type, where it is written in place): `{ tests_pass: true }`. */
  readonly facts?: Readonly<Record<string, boolean>>;
}

export interface StepResult {
  readonly event: string;
  readonly from: string;
  readonly to: string;
  /** False where the run stayed in its state. */
  readonly moved: boolean;
  /** What is missing for the transition, as `guard: reason`. */
  readonly missing: readonly string[];
  /** Why the gate refused the event; absent where it accepted it, if only as evidence. */
  readonly refused?: { readonly code: string; readonly message: string };
}

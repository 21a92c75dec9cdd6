import {
  type Definition,
  type Event,
  type GuardReference,
  type Transition,
  findState,
} from '../definition/definition.ts';
import type { IgnoredBecause } from '../problem.ts';
import type { Verdict } from '../guard.ts';
import { variablesIn } from '../guards.ts';
import { declaredKeys } from '../lint/lint-guards.ts';

/** The part of a run that events change. */
export interface Position {
  readonly state: string;
  readonly revision: number;
  readonly context: Readonly<Record<string, unknown>>;
  /** States left so far, in order of first visit. */
  readonly visited: readonly string[];
  /** Revision at which the state was entered. */
  readonly entered: number;
  readonly isFinal: boolean;
}

/** Lists the transitions of a state for an event in the order in which they are tried: guarded ones first. */
export function transitionsFor(definition: Definition, state: string, event: string): readonly Transition[] {
  // A final run stays final.
  if (findState(definition, state)?.is_final === true) return [];
  const all = definition.transitions.filter((one) => one.from === state && one.event === event);
  return [...all.filter((one) => one.guards.length > 0), ...all.filter((one) => one.guards.length === 0)];
}

export interface JudgedTransition {
  readonly transition: Transition;
  readonly verdicts: readonly { readonly guard: GuardReference; readonly verdict: Verdict }[];
}

export function isSatisfied(judged: JudgedTransition): boolean {
  return judged.verdicts.every(({ verdict }) => verdict.satisfied);
}

/** Returns the first satisfied transition. Unguarded ones come last and are always satisfied. */
export function chooseTransition(judged: readonly JudgedTransition[]): JudgedTransition | undefined {
  return judged.find(isSatisfied);
}

export interface MergedContext {
  readonly context: Readonly<Record<string, unknown>>;
  readonly ignored: ReadonlyMap<string, IgnoredBecause>;
}

/** Merges the payload into the context. A variable that a guard reads is set only if the event declares it. */
export function mergeContext(
  definition: Definition,
  event: Event,
  context: Readonly<Record<string, unknown>>,
  payload: Readonly<Record<string, unknown>>,
): MergedContext {
  const ignored = new Map<string, IgnoredBecause>();
  if (event.context === false) {
    for (const key of Object.keys(payload)) ignored.set(key, 'event_takes_none');
    return { context, ignored };
  }
  const declared = declaredKeys(event);
  const read = guardedVariables(definition);
  const merged: Record<string, unknown> = { ...context };
  for (const [key, value] of Object.entries(payload)) {
    if (event.context !== undefined && !event.context.includes(key)) ignored.set(key, 'event_takes_others');
    else if (read.has(key) && !declared.includes(key)) ignored.set(key, 'undeclared');
    else Object.defineProperty(merged, key, { value, enumerable: true, writable: true, configurable: true });
  }
  return { context: merged, ignored };
}

/** Lists all context variables that guards read. */
export function guardedVariables({ transitions, guards }: Definition): ReadonlySet<string> {
  const references = [...Object.keys(guards), ...transitions.flatMap((one) => one.guards)];
  return new Set(variablesIn(references, guards));
}

/** Returns the position of the run after the event. `to` is the same state if only evidence was recorded. */
export function positionAfter(
  definition: Definition,
  from: Position,
  to: string,
  context: Readonly<Record<string, unknown>>,
): Position {
  const revision = from.revision + 1;
  const moved = to !== from.state;
  return {
    state: to,
    revision,
    context,
    visited: moved && !from.visited.includes(from.state) ? [...from.visited, from.state] : from.visited,
    entered: moved ? revision : from.entered,
    isFinal: findState(definition, to)?.is_final ?? false,
  };
}

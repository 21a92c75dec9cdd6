import type { CountedApproval, Definition, Transition } from '../definition/definition.ts';
import type { Approval, Artifact } from '../guard.ts';
import { countedIn } from '../guards.ts';
import type { Change } from '../worktree/manifest.ts';

/** A file, identified by the digest of its content. */
export interface DigestedFile {
  readonly path: string;
  readonly digest: string;
}

/** An approval with the evidence that it was given for. */
export interface HeldApproval extends Approval {
  readonly evidence: readonly DigestedFile[];
}

export function digestsOf(artifacts: readonly Artifact[]): readonly DigestedFile[] {
  return artifacts.map(({ path, digest }) => ({ path, digest })).toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Returns the approvals that are still valid: they were given for exactly these files with exactly these bytes. */
export function validApprovals(
  approvals: readonly HeldApproval[],
  artifacts: readonly Artifact[],
): readonly HeldApproval[] {
  return approvals.filter(({ evidence }) => {
    const given = new Map(evidence.map((one) => [one.path, one.digest]));
    return artifacts.every((one) => given.get(one.path) === one.digest);
  });
}

/** Lists how the evidence differs from the evidence that a person was shown. */
export function evidenceChanges(seen: readonly DigestedFile[], now: readonly Artifact[]): readonly Change[] {
  const before = new Map(seen.map((one) => [one.path, one.digest]));
  const after = new Map(now.map((one) => [one.path, one.digest]));
  return [...new Set([...before.keys(), ...after.keys()])].toSorted().flatMap((path) => {
    const [was, is] = [before.get(path), after.get(path)];
    if (was === is) return [];
    return [{ path, how: was === undefined ? 'added' : is === undefined ? 'removed' : 'changed' } as const];
  });
}

/** Tells whether this event approves or rejects evidence. */
export function isJudgement(definition: Definition, event: string): boolean {
  return event === 'approve' || event === 'reject' || approvingEvents(definition).includes(event);
}

/** Lists the events that guards of this definition count as approvals. */
export function approvingEvents({ transitions, guards }: Definition): readonly string[] {
  const references = transitions.flatMap((one) => one.guards);
  return [...new Set(countedIn(references, guards).map((one) => one.event))];
}

function isCounted(counted: readonly CountedApproval[], one: Approval): boolean {
  return counted.some(({ event, role }) => one.event === event && (role === undefined || one.role === role));
}

/** Lists the transitions out of the state whose guards count this approval. */
export function waysThatCount(definition: Definition, state: string, mine: Approval): readonly Transition[] {
  return definition.transitions.filter(
    (one) => one.from === state && isCounted(countedIn(one.guards, definition.guards), mine),
  );
}

/** Tells whether a guard of these transitions counts this approval and the same person has not given it yet. */
export function isNewApproval(
  definition: Definition,
  mine: Approval,
  earlier: readonly Approval[],
  ways: readonly Transition[],
): boolean {
  const own = earlier.filter((one) => one.actor === mine.actor);
  const counted = countedIn(
    ways.flatMap((one) => one.guards),
    definition.guards,
  );
  return counted.some((one) => isCounted([one], mine) && !own.some((before) => isCounted([one], before)));
}

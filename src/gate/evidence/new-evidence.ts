import type { Artifact } from '../guard.ts';
import type { JudgedTransition } from '../run/machine.ts';
import { gateActor } from '../run/approver.ts';
import type { HeldArtifact } from '../run/runs.ts';

/** Lists the files that guards found themselves. */
export function filesFoundByGuards(judged: readonly JudgedTransition[]): readonly Artifact[] {
  return judged.flatMap(({ verdicts }) => verdicts.flatMap(({ verdict }) => verdict.seen ?? []));
}

/** Returns the new files of an event with their submitter: the actor, or the gate for files that it found. */
export function evidenceOfEvent(
  held: readonly HeldArtifact[],
  actor: string,
  files: readonly Artifact[],
  seen: readonly Artifact[],
): readonly HeldArtifact[] {
  if (files.length === 0 && seen.length === 0) return [];
  const handedIn = new Set(files.map((one) => one.path));
  return newFiles(held, [...files, ...seen]).map((one) => ({
    ...one,
    actor: handedIn.has(one.path) ? actor : gateActor,
  }));
}

function newFiles(held: readonly HeldArtifact[], files: readonly Artifact[]): readonly Artifact[] {
  const known = new Map(held.map((one) => [one.path, one]));
  const fresh = new Map<string, Artifact>();
  for (const file of files) {
    const before = known.get(file.path);
    if (before?.digest !== file.digest) fresh.set(file.path, { ...file, version: (before?.version ?? 0) + 1 });
  }
  return [...fresh.values()];
}

export function mergeArtifacts(
  held: readonly HeldArtifact[],
  files: readonly Artifact[],
  actor: string,
): readonly HeldArtifact[] {
  if (files.length === 0) return held;
  const fresh = newFiles(held, files);
  const replaced = new Set(fresh.map((one) => one.path));
  return [...held.filter((one) => !replaced.has(one.path)), ...fresh.map((one) => ({ ...one, actor }))];
}

import { memoizeByObject } from '../base/memoize-by-object.ts';
import type { CountedApproval, GuardReference, GuardSpec } from './definition/definition.ts';
import type { Guard } from './guard.ts';
import { all } from './guard/all.ts';
import { any } from './guard/any.ts';
import { approval } from './guard/approval.ts';
import { artifactExists } from './guard/artifact-exists.ts';
import { artifactSchema } from './guard/artifact-schema.ts';
import { artifact } from './guard/artifact.ts';
import { command } from './guard/command.ts';
import { context } from './guard/context.ts';
import { expression } from './guard/expression.ts';
import { not } from './guard/not.ts';
import { watched } from './guard/watched.ts';
import { worktree } from './guard/worktree.ts';

/** All guard types. To add one, add a file in `guard/` and a line here. */
export const guards: readonly Guard[] = [
  artifact,
  artifactExists,
  artifactSchema,
  context,
  approval,
  command,
  worktree,
  watched,
  expression,
  all,
  any,
  not,
];

const byType = new Map(guards.map((guard) => [guard.type, guard]));

export function findGuard(type: string): Guard | undefined {
  return byType.get(type);
}

/** A guard type and a spec that it has parsed. */
export interface ReadGuard {
  readonly guard: Guard;
  readonly spec: GuardSpec;
}

/** Parses a spec; undefined if lint would report it. Memoized: parsing a definition's guards takes 0.4 ms. */
export const readGuard = memoizeByObject((spec: GuardSpec): ReadGuard | undefined => {
  const guard = findGuard(spec.type);
  const parsed = guard?.parameters.safeParse(spec);
  return guard !== undefined && parsed?.success === true ? { guard, spec: parsed.data } : undefined;
});

type Named = Readonly<Record<string, GuardSpec>>;

const none: Named = {};

/** Collects the guards of these references, including their parts. */
function guardsBehind(references: readonly GuardReference[], named: Named): readonly ReadGuard[] {
  const found = new Map<GuardSpec, ReadGuard>();
  const visit = (reference: GuardReference): void => {
    const spec = typeof reference === 'string' ? named[reference] : reference;
    const one = spec === undefined || found.has(spec) ? undefined : readGuard(spec);
    if (spec === undefined || one === undefined) return;
    found.set(spec, one);
    one.guard.children?.(one.spec).forEach(visit);
  };
  references.forEach(visit);
  return [...found.values()];
}

export function artifactTypesIn(references: readonly GuardReference[], named: Named = none): readonly string[] {
  return guardsBehind(references, named).flatMap(({ guard, spec }) => guard.artifactTypes?.(spec) ?? []);
}

export function variablesIn(references: readonly GuardReference[], named: Named = none): readonly string[] {
  return guardsBehind(references, named).flatMap(({ guard, spec }) => guard.variables?.(spec) ?? []);
}

export function pathsIn(references: readonly GuardReference[], named: Named): readonly string[] {
  return guardsBehind(references, named).flatMap(({ guard, spec }) => guard.paths?.(spec) ?? []);
}

export function countedIn(references: readonly GuardReference[], named: Named = none): readonly CountedApproval[] {
  return guardsBehind(references, named).flatMap(({ guard, spec }) => guard.counts?.(spec) ?? []);
}

export function programsIn(references: readonly GuardReference[], named: Named = none): readonly string[] {
  return guardsBehind(references, named).flatMap(({ guard, spec }) => guard.programs?.(spec) ?? []);
}

export function looksAtTree(references: readonly GuardReference[], named: Named): boolean {
  return guardsBehind(references, named).some(({ guard }) => guard.looksAtTree === true);
}

/** Tells whether approvals that one of the guards counts cover the difference of the work tree. */
export function showsDifference(references: readonly GuardReference[], named: Named): boolean {
  return guardsBehind(references, named).some(({ guard, spec }) => guard.showsDifference?.(spec) === true);
}

export function isExpensive(reference: GuardReference, named: Named): boolean {
  return guardsBehind([reference], named).some(({ guard }) => guard.expensive === true);
}

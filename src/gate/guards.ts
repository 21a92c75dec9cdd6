import type { GuardSpec } from './definition/definition.ts';
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

/** Every kind of guard. Adding one is a file in `guard/` and a line here. */
export const guards: readonly Guard[] = [
  artifact,
  artifactExists,
  artifactSchema,
  context,
  approval,
  command,
  expression,
  all,
  any,
  not,
];

const byType = new Map(guards.map((guard) => [guard.type, guard]));

export function findGuard(type: string): Guard | undefined {
  return byType.get(type);
}

/** Artifact types that a guard written in place names, those of the guards inside it too. */
export function guardArtifactTypes(spec: GuardSpec): readonly string[] {
  const guard = findGuard(spec.type);
  if (guard === undefined || !guard.parameters.safeParse(spec).success) return [];
  const inner = (guard.children?.(spec) ?? []).filter((one) => typeof one !== 'string');
  return [...(guard.artifactTypes?.(spec) ?? []), ...inner.flatMap(guardArtifactTypes)];
}

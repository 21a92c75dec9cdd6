import * as z from 'zod';
import { defineGuard, satisfied } from '../guard.ts';
import { phrase } from '../problem.ts';

/** Files of a type were handed in. Distinct content counts: neither a link nor a copy counts twice. */
export const artifact = defineGuard({
  type: 'artifact',
  parameters: z.strictObject({
    type: z.literal('artifact'),
    description: z.string().optional(),
    artifact_type: z.string().min(1),
    condition: z.enum(['exists', 'count']).default('exists'),
    min_count: z.int().min(1).optional(),
  }),
  artifactTypes: (spec) => [spec.artifact_type],
  check(spec, look) {
    const current = new Set(
      look.evidence.artifacts.filter((one) => one.type === spec.artifact_type).map((one) => one.digest),
    ).size;
    const required = spec.condition === 'count' ? (spec.min_count ?? 1) : 1;
    if (current >= required) return satisfied;
    const type = spec.artifact_type;
    const reason =
      spec.condition === 'exists'
        ? look.say(phrase.guardArtifactMissing({ type }))
        : look.say(phrase.guardArtifactFew({ type, current, required }));
    return { satisfied: false, reason };
  },
});

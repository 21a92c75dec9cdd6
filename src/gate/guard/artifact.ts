import * as z from 'zod';
import { defineGuard, guardParameters, satisfied } from '../guard.ts';
import { phrase } from '../phrase.ts';

/** Enough files of a type were submitted. It counts distinct content: a link or a copy does not count twice. */
export const artifact = defineGuard({
  type: 'artifact',
  parameters: guardParameters('artifact', {
    artifact_type: z.string().min(1),
    condition: z.enum(['exists', 'count']).default('exists'),
    min_count: z.int().min(0).optional(),
    min_bytes: z.int().min(1).optional(),
    /** Headings: each must be the beginning of a line. */
    contains: z.array(z.string().trim().min(1)).min(1).optional(),
  }),
  artifactTypes: (spec) => [spec.artifact_type],
  async check(spec, look) {
    const poor: string[] = [];
    const counted = new Set<string>();
    for (const one of look.evidence.artifacts.filter(({ type }) => type === spec.artifact_type)) {
      const short = spec.min_bytes !== undefined && one.size < spec.min_bytes;
      const headings = await missingHeadings(spec.contains ?? [], () => look.bytes(one));
      if (one.size > 0 && !short && headings.length === 0) counted.add(one.digest);
      else {
        const min = short ? spec.min_bytes : undefined;
        poor.push(look.say(phrase.guardArtifactPoor({ path: one.path, min, headings })));
      }
    }
    const current = counted.size;
    const required = spec.condition === 'count' ? (spec.min_count ?? 1) : 1;
    if (current >= required) return satisfied;
    const type = spec.artifact_type;
    const reason =
      spec.condition === 'exists'
        ? look.say(phrase.guardArtifactMissing({ type }))
        : look.say(phrase.guardArtifactFew({ type, current, required }));
    return { satisfied: false, reason: [reason, ...poor].join('; ') };
  },
});

/** Lists the headings with which no line of the text begins. */
async function missingHeadings(
  headings: readonly string[],
  read: () => Promise<Buffer | undefined>,
): Promise<readonly string[]> {
  if (headings.length === 0) return [];
  const lines = ((await read())?.toString('utf8') ?? '').split('\n').map((line) => line.trim());
  return headings.filter(
    (heading) =>
      !lines.some(
        (line) => line === heading || (line.startsWith(heading) && !/^\p{L}/u.test(line.slice(heading.length))),
      ),
  );
}

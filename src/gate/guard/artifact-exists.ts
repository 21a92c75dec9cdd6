import * as z from 'zod';
import { type Artifact, defineGuard, guardParameters, satisfied, failGuard } from '../guard.ts';
import { phrase } from '../phrase.ts';

/** The files exist on disk. Files that it finds become evidence. */
export const artifactExists = defineGuard({
  type: 'artifact_exists',
  needsFiles: () => true,
  parameters: guardParameters('artifact_exists', { paths: z.array(z.string().min(1)).min(1) }),
  paths: (spec) => spec.paths,
  async check(spec, look) {
    const seen: Artifact[] = [];
    const missing: string[] = [];
    for (const path of spec.paths) {
      const file = await look.file(path);
      if (file === undefined) missing.push(path);
      else seen.push(file);
    }
    if (missing.length === 0) return { ...satisfied, seen };
    return failGuard(look, phrase.guardFileMissing({ paths: missing.join(', ') }));
  },
});

import * as z from 'zod';
import { messageOf } from '../../base/failure.ts';
import { defineGuard, guardParameters, satisfied, leaveUndecided, failGuard } from '../guard.ts';
import { schemaFault } from '../definition/json-schema.ts';
import { phrase } from '../phrase.ts';

/** Every artifact of a type (JSON or YAML) matches the guard's JSON Schema, otherwise its type's own. */
export const artifactSchema = defineGuard({
  type: 'artifact_schema',
  parameters: guardParameters('artifact_schema', {
    artifact_type: z.string().min(1),
    schema: z
      .record(z.string(), z.unknown())
      .superRefine((schema, issues) => {
        const fault = schemaFault(schema);
        if (fault !== undefined) issues.addIssue({ code: 'custom', message: fault });
      })
      .optional(),
  }),
  artifactTypes: (spec) => [spec.artifact_type],
  async check(spec, look) {
    const type = spec.artifact_type;
    const schema = spec.schema ?? look.definition.artifacts.find((one) => one.type === type)?.schema ?? {};
    const files = look.evidence.artifacts.filter((one) => one.type === type);
    if (files.length === 0) return failGuard(look, phrase.guardArtifactMissing({ type }));
    for (const file of files) {
      const now = await look.file(file.path);
      if (now === undefined) return leaveUndecided(look, phrase.guardFileMissing({ paths: file.path }));
      if (now.digest !== file.digest) return leaveUndecided(look, phrase.guardFileChanged({ path: file.path }));
      const text = (await look.bytes(now))?.toString('utf8');
      if (text === undefined)
        return leaveUndecided(look, phrase.artifactFault({ path: file.path, fault: 'unreadable' }));
      let value: unknown;
      try {
        value = file.path.endsWith('.json') ? JSON.parse(text) : (await import('yaml')).parse(text);
      } catch (error) {
        return leaveUndecided(look, phrase.guardSchema({ path: file.path, errors: messageOf(error) }));
      }
      const errors = await look.validate(schema, value);
      if (errors.length > 0)
        return failGuard(look, phrase.guardSchema({ path: file.path, errors: errors.slice(0, 5).join('; ') }));
    }
    return satisfied;
  },
});

import * as z from 'zod';
import { messageOf } from '../../base/failure.ts';
import { defineGuard, satisfied } from '../guard.ts';
import { schemaFault } from '../definition/json-schema.ts';
import { phrase } from '../phrase.ts';

/** Every artifact of a type (JSON or YAML) matches the guard's JSON Schema, otherwise its type's own. */
export const artifactSchema = defineGuard({
  type: 'artifact_schema',
  parameters: z.strictObject({
    type: z.literal('artifact_schema'),
    description: z.string().optional(),
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
    if (files.length === 0) return { satisfied: false, reason: look.say(phrase.guardArtifactMissing({ type })) };
    for (const file of files) {
      const now = await look.file(file.path);
      if (now === undefined)
        return {
          satisfied: false,
          undetermined: true,
          reason: look.say(phrase.guardFileMissing({ paths: file.path })),
        };
      if (now.digest !== file.digest)
        return { satisfied: false, undetermined: true, reason: look.say(phrase.guardFileChanged({ path: file.path })) };
      const text = (await look.bytes(now))?.toString('utf8');
      if (text === undefined)
        return {
          satisfied: false,
          undetermined: true,
          reason: look.say(phrase.artifactFault({ path: file.path, fault: 'unreadable' })),
        };
      let value: unknown;
      try {
        value = file.path.endsWith('.json') ? JSON.parse(text) : (await import('yaml')).parse(text);
      } catch (error) {
        return {
          satisfied: false,
          undetermined: true,
          reason: look.say(phrase.guardSchema({ path: file.path, errors: messageOf(error) })),
        };
      }
      const errors = await look.validate(schema, value);
      if (errors.length > 0)
        return {
          satisfied: false,
          reason: look.say(phrase.guardSchema({ path: file.path, errors: errors.slice(0, 5).join('; ') })),
        };
    }
    return satisfied;
  },
});

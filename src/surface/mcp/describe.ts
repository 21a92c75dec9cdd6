import * as z from 'zod';
import type { Operation } from '../../kernel/operation.ts';
import type { JsonObject } from '../../base/json-object.ts';
import type { Lang } from '../../kernel/text/text.ts';
import { descriptionIn } from '../../kernel/text/described.ts';

/** The description of a tool, in English for models. The build writes it to a file: zod is slower than the start. */
export function describeTool(operation: Operation, lang: Lang = 'en'): JsonObject {
  return {
    name: operation.name,
    description: operation.summary[lang],
    inputSchema: schemaOf(operation.input, 'input', lang),
    outputSchema: schemaOf(operation.output, 'output', lang),
    annotations: {
      readOnlyHint: operation.effect === 'read',
      destructiveHint: false,
      idempotentHint: operation.effect === 'read' || operation.idempotent === true,
      openWorldHint: false,
    },
  };
}

/** The JSON Schema without `$schema` and without what the dialect implies: a model pays for each byte in every session. */
function schemaOf(schema: z.ZodObject, io: 'input' | 'output', lang: Lang): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    override({ zodSchema, jsonSchema: one }) {
      const description = descriptionIn(lang, zodSchema);
      if (description !== undefined) one.description = description;
      const { propertyNames: names, additionalProperties: others } = one;
      if (typeof names === 'object' && Object.keys(names).join() === 'type') delete one.propertyNames;
      if (typeof others === 'object' && Object.keys(others).length === 0) delete one.additionalProperties;
      if (one.maximum === Number.MAX_SAFE_INTEGER) delete one.maximum;
      if (one.minimum === Number.MIN_SAFE_INTEGER) delete one.minimum;
    },
  });
  return rest;
}

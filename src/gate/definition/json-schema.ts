import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';
import type { FieldError } from '../../kernel/problem.ts';
import { messageOf } from '../../base/failure.ts';
import { memoizeByObject } from '../../base/memoize-by-object.ts';
import type { Say } from '../../kernel/text/text.ts';
import { faultIn } from './json-fault.ts';

/** Compiles patterns with RE2, which matches in linear time. It throws on look-around and back references. */
const regExp = Object.assign(
  (pattern: string) => {
    const compiledPattern = RE2JS.compile(RE2JS.translateRegExp(pattern));
    return { test: (text: string) => compiledPattern.matcher(text).find() };
  },
  { code: 'undefined' },
);

const options = { strict: false, allErrors: true, validateFormats: false, logger: false, code: { regExp } } as const;

/** The validator of schemas. It compiles the meta-schema once, for the first schema. */
const checker = new Ajv2020(options);

/** Tells whether a schema refers to the meta-schema itself ("any valid schema"). */
function usesMetaSchema(schema: object): boolean {
  return JSON.stringify(schema).includes('json-schema.org');
}

/** Memoized, since definitions stay in memory and the same schema comes again. */
const compile = memoizeByObject((schema: object): ValidateFunction => {
  if (checker.validateSchema(schema) !== true) throw new Error(checker.errorsText(checker.errors));
  // One instance per schema, since two definitions may use the same $id. It has no meta-schema, which is the expensive part.
  return new Ajv2020({ ...options, meta: usesMetaSchema(schema), validateSchema: false }).compile(schema);
});

export function schemaFault(schema: object): string | undefined {
  try {
    compile(schema);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

export function validateJson(schema: object, value: unknown, say: Say): readonly FieldError[] {
  const validate = compile(schema);
  if (validate(value)) return [];
  return (validate.errors ?? [])
    .slice(0, 50)
    .map((error) => ({ path: error.instancePath || '/', message: say((lang) => faultIn(lang, error)) }));
}

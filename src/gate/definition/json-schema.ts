import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';
import type { FieldError } from '../../kernel/problem.ts';
import { messageOf } from '../../base/failure.ts';
import { memoizeByObject } from '../../base/memoize-by-object.ts';
import type { Lang, Say } from '../../kernel/text/text.ts';

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

/** An error of ajv, which has English messages only. */
interface AjvError {
  readonly keyword: string;
  readonly message?: string | undefined;
  readonly params?: Readonly<Record<string, unknown>>;
}

function faultIn(lang: Lang, found: AjvError): string {
  return lang === 'ja' ? (inJapanese(found) ?? inEnglish(found)) : inEnglish(found);
}

function inEnglish({ message = 'is not valid', params = {} }: AjvError): string {
  const extra = params['allowedValues'] ?? params['additionalProperty'];
  return extra === undefined
    ? message
    : `${message}: ${Array.isArray(extra) ? extra.join(', ') : JSON.stringify(extra)}`;
}

const kinds: Readonly<Record<string, string | undefined>> = {
  string: '文字列',
  number: '数値',
  integer: '整数',
  boolean: 'true または false',
  array: '一覧',
  object: 'キーと値',
  null: 'null',
};

/** Translates an error; undefined for rare keywords. */
function inJapanese({ keyword, params = {} }: AjvError): string | undefined {
  const limit = String(params['limit']);
  const said: Readonly<Record<string, () => string>> = {
    required: () => `「${String(params['missingProperty'])}」が必要です`,
    type: () =>
      `${[params['type']]
        .flat()
        .map((one) => kinds[String(one)] ?? String(one))
        .join('、')} を指定してください`,
    enum: () => `次のいずれかを指定してください: ${(params['allowedValues'] as readonly unknown[]).join(', ')}`,
    const: () => `${JSON.stringify(params['allowedValue'])} を指定してください`,
    additionalProperties: () => `「${String(params['additionalProperty'])}」という項目はありません`,
    minimum: () => `${limit} 以上にしてください`,
    maximum: () => `${limit} 以下にしてください`,
    exclusiveMinimum: () => `${limit} より大きくしてください`,
    exclusiveMaximum: () => `${limit} より小さくしてください`,
    minLength: () => `${limit} 文字以上にしてください`,
    maxLength: () => `${limit} 文字以内にしてください`,
    minItems: () => `${limit} 個以上にしてください`,
    maxItems: () => `${limit} 個以内にしてください`,
    uniqueItems: () => '同じものを 2 回指定できません',
    pattern: () => `パターン ${String(params['pattern'])} に一致しません`,
    format: () => `形式 ${String(params['format'])} に合いません`,
  };
  return said[keyword]?.();
}

import type { Lang } from '../../kernel/text/text.ts';

/** An error of ajv, which has English messages only. */
interface AjvError {
  readonly keyword: string;
  readonly message?: string | undefined;
  readonly params?: Readonly<Record<string, unknown>>;
}

export function faultIn(lang: Lang, found: AjvError): string {
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

import { code } from './markdown.mjs';

/** A JSON Schema object as flat rows: `agents[].role`, its type, whether it must be there, what it is. */
export function schemaRows(schema, prefix = '') {
  return Object.entries(schema.properties ?? {}).flatMap(([name, given]) => {
    const property = notNull(given);
    const field = `${prefix}${name}`;
    const row = {
      field,
      type: typeOf(given),
      required: schema.required?.includes(name) === true,
      default: given.default,
      description: given.description ?? '',
    };
    const item = property.type === 'array' ? notNull(property.items ?? {}) : property;
    return [row, ...schemaRows(item, `${field}${property.type === 'array' ? '[]' : ''}.`)];
  });
}

/** What remains of `anyOf: [x, null]`. */
function notNull(schema) {
  const others = schema.anyOf?.filter((one) => one.type !== 'null');
  return others?.length === 1 ? others[0] : schema;
}

function typeOf(schema) {
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined) return schema.enum.map((one) => code(JSON.stringify(one))).join(' | ');
  const several = schema.anyOf ?? schema.oneOf;
  if (several !== undefined) return several.map(typeOf).join(' | ');
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1);
  if (Array.isArray(schema.type)) return schema.type.join(' | ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`;
  return [schema.type ?? 'any', limits(schema)].filter(Boolean).join(' ');
}

// What JavaScript counts exactly is no limit that a reader has to know.
function limits({ minimum, maximum, minLength, maxLength }) {
  const low = minimum ?? minLength;
  const high = maximum ?? maxLength;
  const hasLow = low !== undefined && low !== Number.MIN_SAFE_INTEGER && low !== 0;
  const hasHigh = high !== undefined && high !== Number.MAX_SAFE_INTEGER;
  const unit = minLength !== undefined || maxLength !== undefined ? ' characters' : '';
  if (hasLow && hasHigh) return `(${low} to ${high}${unit})`;
  if (hasHigh) return `(at most ${high}${unit})`;
  if (hasLow) return unit === '' ? `(at least ${low})` : low === 1 ? '(not empty)' : `(at least ${low}${unit})`;
  return minimum === 0 ? '(0 or more)' : '';
}

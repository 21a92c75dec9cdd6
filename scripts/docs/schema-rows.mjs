import { code } from './markdown.mjs';

/** A JSON Schema object as flat rows: name (`agents[].role`), type, whether it is required, description. */
export function schemaRows(schema, say, prefix = '') {
  return Object.entries(schema.properties ?? {}).flatMap(([name, given]) => {
    const property = notNull(given);
    const field = `${prefix}${name}`;
    const row = {
      field,
      type: typeOf(given, say),
      required: schema.required?.includes(name) === true,
      default: given.default,
      description: given.description ?? '',
    };
    const item = property.type === 'array' ? notNull(property.items ?? {}) : property;
    return [row, ...schemaRows(item, say, `${field}${property.type === 'array' ? '[]' : ''}.`)];
  });
}

/** Reduces `anyOf: [x, null]` to `x`. */
function notNull(schema) {
  const others = schema.anyOf?.filter((one) => one.type !== 'null');
  return others?.length === 1 ? others[0] : schema;
}

function typeOf(schema, say) {
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined) return schema.enum.map((one) => code(JSON.stringify(one))).join(' | ');
  const several = schema.anyOf ?? schema.oneOf;
  if (several !== undefined) return several.map((one) => typeOf(one, say)).join(' | ');
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1);
  if (Array.isArray(schema.type)) return schema.type.join(' | ');
  if (schema.type === 'array') return say.listOf(typeOf(schema.items ?? {}, say));
  return [schema.type ?? 'any', limits(schema, say)].filter(Boolean).join(' ');
}

// The limits of a number or a string. The bounds of safe integers are left out.
function limits({ minimum, maximum, minLength, maxLength }, say) {
  const low = minimum ?? minLength;
  const high = maximum ?? maxLength;
  const hasLow = low !== undefined && low !== Number.MIN_SAFE_INTEGER && low !== 0;
  const hasHigh = high !== undefined && high !== Number.MAX_SAFE_INTEGER;
  const unit = minLength !== undefined || maxLength !== undefined ? say.characters : '';
  if (hasLow && hasHigh) return say.between(low, high, unit);
  if (hasHigh) return say.atMost(high, unit);
  if (hasLow) return unit !== '' && low === 1 ? say.notEmpty : say.atLeast(low, unit);
  return minimum === 0 ? say.zeroOrMore : '';
}

import type { ParseArgsConfig } from 'node:util';
import * as z from 'zod';
import type { Operation } from '../../kernel/operation.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

interface Property {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly anyOf?: readonly Property[];
}

/** `state_gate.get_state` is `get-state` under its toolset. */
export function commandName(operation: Pick<Operation, 'name'>): string {
  return (operation.name.split('.').at(-1) ?? operation.name).replaceAll('_', '-');
}

/** Flags that hold for every command mean the caller, not the input. */
const taken: Readonly<Record<string, string>> = { role: 'agent-role' };

export function flagName(field: string): string {
  if (taken[field] !== undefined) return taken[field];
  return field
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}

function properties(operation: Operation): { fields: Readonly<Record<string, Property>>; required: readonly string[] } {
  const schema = z.toJSONSchema(operation.input, { io: 'input' }) as {
    properties?: Record<string, Property>;
    required?: string[];
  };
  return { fields: schema.properties ?? {}, required: schema.required ?? [] };
}

function kindOf(property: Property): string {
  const { type, anyOf = [] } = property;
  if (typeof type === 'string') return type;
  // `["string", "null"]` and `anyOf: [string, null]`: null has no flag.
  return type?.find((one) => one !== 'null') ?? anyOf.map(kindOf).find((one) => one !== 'null') ?? 'string';
}

export function optionsOf(operation: Operation): Options {
  const options: Options = {};
  for (const [field, property] of Object.entries(properties(operation).fields)) {
    const kind = kindOf(property);
    options[flagName(field)] =
      kind === 'boolean' ? { type: 'boolean' } : { type: 'string', multiple: kind === 'array' };
  }
  return options;
}

/** What a flag may be, where that is a short list. */
export function choicesOf(operation: Operation, flag: string): readonly string[] {
  const found = Object.entries(properties(operation).fields).find(([field]) => `--${flagName(field)}` === flag)?.[1];
  return (found?.enum ?? found?.anyOf?.flatMap((one) => one.enum ?? []) ?? []).map(String);
}

/** The flags as the operation's input: numbers as numbers, objects as JSON, arrays as JSON, with commas or repeated. */
export function inputOf(operation: Operation, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [field, property] of Object.entries(properties(operation).fields)) {
    const value = values[flagName(field)];
    if (value !== undefined) input[field] = convert(kindOf(property), value);
  }
  return input;
}

function convert(kind: string, value: unknown): unknown {
  if (kind === 'array') {
    const given = value as readonly string[];
    const [only] = given;
    if (given.length === 1 && only !== undefined && only.trimStart().startsWith('[')) return json(only);
    return given.flatMap(separated);
  }
  if (typeof value !== 'string') return value;
  if (kind === 'integer' || kind === 'number')
    return value.trim() === '' || Number.isNaN(Number(value)) ? value : Number(value);
  if (kind === 'object') return json(value);
  return value;
}

/** `a,b` is two. A sentence with a comma is one; a name with a comma is written as JSON: `["a,b"]`. */
function separated(value: string): readonly string[] {
  return /[\s{]/.test(value) ? [value] : value.split(',').filter((one) => one !== '');
}

/** What is no JSON is passed on as it is: the schema then says what it should have been. */
function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

export interface Flag {
  readonly flag: string;
  /** What stands behind it; empty where nothing does. */
  readonly value: string;
  readonly schema: z.ZodType;
  readonly required: boolean;
  readonly byDefault: unknown;
}

export function flagsOf(operation: Operation): readonly Flag[] {
  const { fields, required } = properties(operation);
  return Object.entries(operation.input.shape).map(([field, schema]) => {
    const property = fields[field] ?? {};
    return {
      flag: `--${flagName(field)}`,
      value: placeholder(property),
      schema,
      required: required.includes(field),
      byDefault: property.default,
    };
  });
}

function placeholder(property: Property): string {
  const kind = kindOf(property);
  if (kind === 'boolean') return '';
  if (kind === 'object') return 'JSON';
  if (kind === 'array') return 'VALUE …';
  return property.enum?.join('|') ?? kind.toUpperCase();
}

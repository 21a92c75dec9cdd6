import type { z } from 'zod';
import { inJapanese, valueAt } from '../../kernel/text/issue.ts';
import type { Words } from '../../kernel/text/text.ts';

type Issue = z.core.$ZodIssue;

/** Types of values in the words of a process author. */
const kinds: Readonly<Record<string, string | undefined>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'keys and values',
  record: 'keys and values',
};

/** Describes the fault of a field as a clause without a full stop: `is_final must be true or false, not "maybe"`. */
export function describeIssue(issue: Issue, whole: unknown): Words {
  const name = fieldOf(issue.path);
  const given = valueAt(whole, issue.path);
  const ja = inJapanese(issue, given);
  return { en: inEnglish(issue, whole), ja: name === undefined ? ja : `${name}: ${ja}` };
}

function inEnglish(issue: Issue, whole: unknown): string {
  const name = fieldOf(issue.path);
  const given = valueAt(whole, issue.path);
  const wrong = given === undefined ? 'is missing' : describeFault(issue, given);
  return name === undefined ? wrong : `${name} ${wrong}`;
}

/** Returns the innermost field name, with the index if it is an entry of a list. */
function fieldOf(path: readonly PropertyKey[]): string | undefined {
  const last = path.findLastIndex((key) => typeof key === 'string');
  if (last < 0) return undefined;
  const index = path[last + 1];
  return `${String(path[last])}${typeof index === 'number' ? `[${index}]` : ''}`;
}

function describeFault(issue: Issue, given: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.expected] ?? issue.expected}, not ${describeValue(given)}`;
    case 'invalid_value':
      return `must be ${joinWithOr(issue.values.map(String))}, not ${describeValue(given)}`;
    case 'too_small':
      return typeof given === 'number' ? `must be at least ${issue.minimum}` : 'must not be empty';
    case 'too_big':
      return typeof given === 'number' ? `must be at most ${issue.maximum}` : `is longer than ${issue.maximum}`;
    case 'unrecognized_keys':
      return `has no field ${joinWithOr(issue.keys.map((key) => `"${key}"`))}`;
    case 'invalid_union':
      return describeAlternatives(issue.errors, given);
    case 'custom':
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'not_multiple_of':
      // The message is our own text, defined beside its rule.
      return typeof given === 'object' ? issue.message : `cannot be ${describeValue(given)}: ${issue.message}`;
  }
}

/** Describes the fault of a field that accepts several types: lists the types, or the fault inside the type that fits. */
function describeAlternatives(branches: readonly (readonly Issue[])[], given: unknown): string {
  const here = branches.flatMap((issues) => issues.filter((one) => one.path.length === 0).slice(0, 1));
  const wanted = here.flatMap((one) => {
    if (one.code === 'invalid_type') return [kinds[one.expected] ?? one.expected];
    return one.code === 'invalid_value' ? one.values.map(String) : [];
  });
  if (wanted.length === branches.length)
    return `must be ${joinWithOr([...new Set(wanted)])}, not ${describeValue(given)}`;
  // One alternative has the right type: report the fault inside it.
  const inner = branches.find((issues) => issues.some((one) => one.path.length > 0)) ?? branches[0] ?? [];
  return inner.map((one) => `is wrong: ${inEnglish(one, given)}`).join('; ');
}

function joinWithOr(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function describeValue(value: unknown): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'keys and values';
  return JSON.stringify(typeof value === 'string' ? value.slice(0, 60) : value);
}

import type { z } from 'zod';

type Plain = Record<string, unknown>;

export interface RepairedBody {
  readonly value: unknown;
  /** Returns the index that an element had in the file, before others were removed. */
  readonly originally: (section: string, index: number) => number;
}

/** Removes each malformed field, or its parent if the field is required, so that lint can check the rest. */
export function repairBody(schema: z.ZodType, given: unknown): RepairedBody | undefined {
  const value = structuredClone(given);
  const places = new Map<string, number[]>();
  const placesOf = (section: string): number[] => {
    const list = (value as Plain)[section];
    const known = places.get(section) ?? (Array.isArray(list) ? list.map((_, index) => index) : []);
    places.set(section, known);
    return known;
  };
  for (let round = 0; round < maxRounds; round++) {
    const issues = schema.safeParse(value).error?.issues;
    if (issues === undefined) return { value, originally: (section, index) => places.get(section)?.[index] ?? index };
    // Backwards, so that a removal does not shift the indexes of the remaining issues.
    for (const issue of issues.toReversed()) {
      const keys = issue.code === 'unrecognized_keys' ? issue.keys : [];
      if (keys.length > 0) for (const key of keys) delete (parentAt(value, issue.path) as Plain)[key];
      else removeAt(value, issue.path as readonly (string | number)[], placesOf);
    }
  }
  return undefined;
}

const maxRounds = 5;

function parentAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const key of path) at = (at as Record<PropertyKey, unknown> | undefined)?.[key];
  return at ?? {};
}

function removeAt(value: unknown, path: readonly (string | number)[], placesOf: (section: string) => number[]): void {
  const [section, index] = path;
  const parent = parentAt(value, path.slice(0, -1));
  const last = path.at(-1);
  if (last !== undefined && typeof parent === 'object' && parent !== null && Object.hasOwn(parent, last)) {
    if (Array.isArray(parent)) {
      if (path.length === 2 && typeof section === 'string') placesOf(section).splice(Number(last), 1);
      parent.splice(Number(last), 1);
    } else delete (parent as Plain)[last];
    return;
  }
  // A required field is missing: remove its parent.
  const list = typeof section === 'string' ? (value as Plain)[section] : undefined;
  if (path.length === 1 && typeof section === 'string') (value as Plain)[section] = [];
  else if (Array.isArray(list) && typeof index === 'number' && typeof section === 'string') {
    placesOf(section).splice(index, 1);
    list.splice(index, 1);
  }
}

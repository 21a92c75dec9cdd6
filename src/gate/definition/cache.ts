import type { Definition } from './definition.ts';

/** Parsed definitions by digest. Hooks load this file for every tool call, so it has no heavy imports. */
const parsed = new Map<string, Definition>();
const maxDefinitions = 2000;

export function knownDefinition(digest: string): Definition | undefined {
  return parsed.get(digest);
}

export function parseDefinition(digest: string, body: string): Definition {
  const definition = parsed.get(digest) ?? (JSON.parse(body) as Definition);
  if (parsed.size >= maxDefinitions) parsed.clear();
  parsed.set(digest, definition);
  return definition;
}

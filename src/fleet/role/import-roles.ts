import { isJsonObject, textOf } from '../../base/json-object.ts';
import type { Sentence } from '../../kernel/text/text.ts';
import { phrase } from '../problem.ts';
import type { RoleEntry } from './roles.ts';

/** The result of importing a kuromajutsu configuration. */
export interface Imported {
  readonly roles: readonly RoleEntry[];
  /** Other settings, by their path in our file. */
  readonly settings: readonly { readonly at: readonly string[]; readonly value: unknown }[];
  /** Settings that were not imported, and what to do about them. */
  readonly leftOut: readonly Sentence[];
}

const idPattern = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

/** kuromajutsu's settings with their place in our file; the meaning is the same. */
const places: readonly { readonly from: readonly [string, string]; readonly to: readonly string[] }[] = [
  { from: ['agent', 'maxConcurrent'], to: ['fleet', 'maxConcurrent'] },
  { from: ['agent', 'defaultTimeout_ms'], to: ['fleet', 'defaultTimeoutMs'] },
  { from: ['dashboard', 'port'], to: ['http', 'port'] },
];

/** Imports roles and settings. `cli`: the program for the roles; kuromajutsu's model names are Cursor's. */
export function importRoles(file: Readonly<Record<string, unknown>>, cli: string): Imported {
  const leftOut: Sentence[] = [];
  const settings = places.flatMap(({ from: [section, key], to }) => {
    const value = sectionOf(file, section)[key];
    return value === undefined ? [] : [{ at: to, value }];
  });
  const level = textOf(sectionOf(file, 'log')['level']);
  if (level !== undefined) leftOut.push(phrase.importLogLevel({ level }));
  const roles = listOf(file['roles']).flatMap((one): readonly RoleEntry[] => {
    const id = textOf(one['id']) ?? '';
    if (!idPattern.test(id)) {
      leftOut.push(phrase.importBadId({ id }));
      return [];
    }
    const tools = Array.isArray(one['tools']) ? one['tools'].map(String) : [];
    if (tools.length > 0) leftOut.push(phrase.importTools({ id, tools }));
    const model = textOf(one['model']);
    if (model !== undefined && cli !== 'cursor') leftOut.push(phrase.importModel({ id, model, cli }));
    const systemPrompt = textOf(one['systemPrompt']);
    return [
      {
        id,
        ...optionalField('name', textOf(one['name'])),
        ...optionalField('description', textOf(one['description'])?.trim()),
        cli,
        ...optionalField('model', cli === 'cursor' ? model : undefined),
        // The server to which agents report has a different name here.
        ...optionalField('systemPrompt', systemPrompt?.replaceAll(/kuromajutsu(?= MCP)/g, 'sekisho')),
        ...optionalField('healthCheckPrompt', textOf(one['healthCheckPrompt'])),
      },
    ];
  });
  return { roles, settings, leftOut };
}

function optionalField<K extends string>(key: K, value: string | undefined): { readonly [P in K]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]: string });
}

function sectionOf(file: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> {
  const section = file[name];
  return isJsonObject(section) ? section : {};
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

import { join } from 'node:path';
import { parse } from 'yaml';
import type { Context } from '../../kernel/context.ts';
import { unifiedDiff } from '../../base/difference.ts';
import { isJsonObject } from '../../base/json-object.ts';
import { configurationFile } from '../../kernel/trust.ts';
import { readRegular } from '../../machine/regular-file.ts';
import { listOwn } from './catalogue.ts';
import { type DefinitionFile, digestOf, readDefinition } from './file.ts';
import type { Finding } from './finding.ts';
import { commandsOf } from './trust.ts';

/** A file that is not as a person saw it last. */
export interface Pending {
  readonly file: string;
  readonly state: 'new' | 'changed' | 'removed';
  readonly processId: string | undefined;
  /** As it is now; undefined where it is gone. */
  readonly text: string | undefined;
  readonly before: string | undefined;
  /** What it would start. */
  readonly programs: readonly string[];
  /** Why it cannot be used as it is now. */
  readonly errors: readonly Finding[];
}

/** Everything of the project that a person has not seen as it is now: the configuration, then the definitions. */
export async function listPending(context: Pick<Context, 'settings' | 'project'>): Promise<readonly Pending[]> {
  const { home, trusted } = context.project;
  const seen = trusted();
  const stateOf = (file: string, text: string | undefined): Pending['state'] | undefined => {
    const before = seen.get(file)?.text;
    if (before === text) return undefined;
    return text === undefined ? 'removed' : before === undefined ? 'new' : 'changed';
  };
  const found: Pending[] = [];
  const add = (
    file: string,
    text: string | undefined,
    now: DefinitionFile | undefined,
    programs: readonly string[],
  ) => {
    const state = stateOf(file, text);
    if (state === undefined) return;
    const errors = now?.definition === undefined ? (now?.findings.filter((one) => one.severity === 'error') ?? []) : [];
    found.push({ file, state, processId: now?.id, text, before: seen.get(file)?.text, programs, errors });
  };
  const configuration = textOf(join(home, 'config.yaml'));
  add(configurationFile, configuration, undefined, programsOf(configuration));
  for (const { path, now, seen: before } of await listOwn(context)) {
    const file = now?.file ?? before?.file ?? path;
    if (now === undefined) add(file, undefined, undefined, []);
    else {
      const text = textOf(path) ?? '';
      // It may have changed since it was listed: what is shown is what is judged.
      const shown = now.digest === digestOf(text) ? now : readDefinition(file, text);
      add(file, text, shown, commandsOf(shown));
    }
  }
  return found;
}

/** What a person should see before saying yes. */
export function showPending({ file, state, before = '', text = '', programs }: Pending): string {
  return [
    `${file} (${state})`,
    ...programs.map((line) => `  runs: ${line}`),
    unifiedDiff(before, text, ['trusted', 'now']),
  ].join('\n');
}

function textOf(path: string): string | undefined {
  const found = readRegular(path);
  return 'text' in found ? found.text : undefined;
}

/** Keys of a configuration whose value is a program with its arguments, or several by name. */
const starting = ['command', 'commands', 'test'];

/** Every program that a configuration names, wherever it stands. One that is no YAML is refused later, with the reason. */
function programsOf(text: string | undefined): readonly string[] {
  const found: string[] = [];
  const visit = (value: unknown, starts: boolean): void => {
    if (typeof value === 'string') {
      if (starts) found.push(value);
    } else if (Array.isArray(value)) {
      if (starts && value.every((one) => typeof one === 'string')) found.push(value.join(' '));
      else for (const one of value) visit(one, false);
    } else if (isJsonObject(value))
      for (const [key, one] of Object.entries(value)) visit(one, starts || starting.includes(key));
  };
  try {
    visit(parse(text ?? ''), false);
  } catch {
    return [];
  }
  return [...new Set(found)];
}

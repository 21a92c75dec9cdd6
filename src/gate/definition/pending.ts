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

export interface PendingFile {
  readonly file: string;
  readonly state: 'new' | 'changed' | 'removed';
  readonly processId: string | undefined;
  readonly text: string | undefined;
  readonly before: string | undefined;
  readonly programs: readonly string[];
  readonly errors: readonly Finding[];
}

/** Lists every file of the project whose current version no person has trusted: the configuration, then the definitions. */
export async function listPending(context: Pick<Context, 'settings' | 'project'>): Promise<readonly PendingFile[]> {
  const { home, trusted } = context.project;
  const seen = trusted();
  const stateOf = (file: string, text: string | undefined): PendingFile['state'] | undefined => {
    const before = seen.get(file)?.text;
    if (before === text) return undefined;
    return text === undefined ? 'removed' : before === undefined ? 'new' : 'changed';
  };
  const found: PendingFile[] = [];
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
      // The file may have changed since it was listed: judge the text that is shown.
      const shown = now.digest === digestOf(text) ? now : readDefinition(file, text);
      add(file, text, shown, commandsOf(shown));
    }
  }
  return found;
}

export function showPending({ file, state, before = '', text = '', programs }: PendingFile): string {
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

/** Configuration keys whose value is a program with its arguments, or several by name. */
const programKeys = ['command', 'commands', 'test'];

/** Lists every program that a configuration names, at any depth. Invalid YAML gives none and is refused later. */
function programsOf(text: string | undefined): readonly string[] {
  const found: string[] = [];
  const visit = (value: unknown, starts: boolean): void => {
    if (typeof value === 'string') {
      if (starts) found.push(value);
    } else if (Array.isArray(value)) {
      if (starts && value.every((one) => typeof one === 'string')) found.push(value.join(' '));
      else for (const one of value) visit(one, false);
    } else if (isJsonObject(value))
      for (const [key, one] of Object.entries(value)) visit(one, starts || programKeys.includes(key));
  };
  try {
    visit(parse(text ?? ''), false);
  } catch {
    return [];
  }
  return [...new Set(found)];
}

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Document, isMap, parseDocument } from 'yaml';
import { configure } from '../app/configure.ts';
import { parseConfig } from '../config/file.ts';
import { type Imported, agents, importRoles } from '../fleet/index.ts';
import { hasRole, putRole } from '../fleet/role/role-file.ts';
import { problem } from '../kernel/problem.ts';
import { messageOf } from '../base/failure.ts';
import { configurationFile } from '../kernel/trust.ts';
import { print } from '../surface/terminal/print.ts';
import { type Command, exitCode } from './frame/command.ts';
import { unknownChoice } from '../kernel/setting.ts';
import { words } from './words.ts';

const usualFile = 'kuromajutsu.config.yaml';

export const fleetImportRoles: Command = {
  options: { cli: { type: 'string' }, replace: { type: 'boolean' } },
  usage: 'sekisho fleet import-roles [kuromajutsu.config.yaml] [--cli cursor] [--replace]',
  examples: [
    'sekisho fleet import-roles kuromajutsu.config.yaml',
    'sekisho fleet import-roles ../other/kuromajutsu.config.yaml --cli claude --replace',
  ],
  async run({ flags, json, options, positionals }) {
    const { project, lang } = await configure(flags);
    const cli = typeof options['cli'] === 'string' ? options['cli'] : 'cursor';
    const known = agents.filter((one) => one.program !== undefined).map((one) => one.id);
    if (!known.includes(cli)) throw problem.BAD_CONFIGURATION({ file: '--cli', reason: unknownChoice(cli, known) });
    const source = resolve(positionals[0] ?? usualFile);
    const found = importRoles(parseConfig(source, textOf(source)) as Readonly<Record<string, unknown>>, cli);
    if (found.roles.length === 0)
      throw problem.BAD_CONFIGURATION({ file: source, reason: words('roles: there are none') });
    const file = join(project.root, configurationFile);
    const written = parseDocument(existsSync(file) ? readFileSync(file, 'utf8') : '');
    const [fault] = written.errors;
    if (fault !== undefined) throw problem.BAD_CONFIGURATION({ file, reason: fault.message });
    const { imported, kept } = merge(written, found, options['replace'] === true);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, written.toString({ lineWidth: 0 }));
    const leftOut = found.leftOut.map((one) => one(lang));
    // The roles take effect once a person has trusted the file.
    const answer = { file, imported, kept, left_out: leftOut, next: 'sekisho trust' };
    print(answer, { json, lang });
    return exitCode.ok;
  },
};

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw problem.BAD_CONFIGURATION({ file, reason: messageOf(error) });
  }
}

/** Merges roles into the configuration file and keeps its comments. Existing entries stay unless `replace` is set. */
function merge(
  written: Document,
  { roles, settings }: Imported,
  replace: boolean,
): { readonly imported: readonly string[]; readonly kept: readonly string[] } {
  // A file with nothing but comments has no map yet.
  if (!isMap(written.contents)) written.contents = written.createNode({});
  for (const { at, value } of settings) if (replace || !written.hasIn(at)) written.setIn(at, value);
  const kept = replace ? [] : roles.filter((role) => hasRole(written, role.id)).map((role) => role.id);
  const taken = roles.filter((role) => !kept.includes(role.id));
  for (const role of taken) putRole(written, role);
  const imported = taken.map((role) => role.id);
  return { imported, kept };
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { trustFiles } from '../../src/app/trust-files.ts';
import { authorOf } from '../../src/app/user-store.ts';
import { userName } from '../../src/config/load.ts';
import { locate } from '../../src/config/locate.ts';
import { configurationFile } from '../../src/kernel/trust.ts';

/** As if a person had looked at a project's configuration. */
export async function trustConfiguration(folder: string, env: Readonly<Record<string, string>>): Promise<void> {
  const user = userName();
  const text = readFileSync(join(folder, configurationFile), 'utf8');
  const owner = { place: locate({ cwd: folder, env }), user, environment: env };
  await trustFiles(owner, authorOf(user).actor, [{ file: configurationFile, text, programs: [] }]);
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { trustFiles } from '../../src/app/user/trust-files.ts';
import { authorOf } from '../../src/app/user/user-store.ts';
import { userName } from '../../src/config/load.ts';
import { locate } from '../../src/config/locate.ts';
import { isProblem } from '../../src/kernel/problem.ts';
import { configurationFile } from '../../src/kernel/trust.ts';

type Environment = Readonly<Record<string, string>>;

/** As if a person had looked at a project's configuration. */
export const trustConfiguration = (folder: string, env: Environment): Promise<void> =>
  trustFile(folder, env, configurationFile);

/** The same for any file of the project that has to be looked at. */
export async function trustFile(folder: string, env: Environment, file: string): Promise<void> {
  const user = userName();
  const text = readFileSync(join(folder, file), 'utf8');
  const owner = { place: locate({ cwd: folder, env }), user, environment: env };
  try {
    await trustFiles(owner, authorOf(user).actor, [{ file, text, programs: [] }]);
  } catch (error) {
    // Recorded, and no use: as if an earlier version had taken it.
    if (!isProblem(error) || error.code !== 'BAD_CONFIGURATION') throw error;
  }
}

import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../base/json-object.ts';
import type { OwnHome } from '../agent-cli.ts';

/** Merges our settings into a client's file. */
export type MergeSettings = (path: string, before: string | undefined, ours: JsonObject, client: string) => string;

/**
 * Creates the agent's home in its folder. Everything in it is a link, so that renewed credentials and saved state stay
 * the person's; new files are deleted with the agent.
 */
export function makeOwnHome(
  { variable, folder, file, json }: OwnHome,
  client: string,
  agentFolder: string,
  env: Readonly<Record<string, string | undefined>>,
  merge: MergeSettings,
): Readonly<Record<string, string>> {
  const home = join(agentFolder, 'home');
  const theirs = env[variable] || env['HOME'] || homedir();
  const inside = join(home, folder);
  const real = join(theirs, folder);
  mkdirSync(inside, { recursive: true, mode: 0o700 });
  for (const name of existsSync(real) ? readdirSync(real) : [])
    if (name !== file) symlinkSync(join(real, name), join(inside, name));
  const settings = join(real, file);
  const before = existsSync(settings) ? readFileSync(settings, 'utf8') : undefined;
  writeFileSync(join(inside, file), merge(settings, before, json, client), { mode: 0o600 });
  return { [variable]: home };
}

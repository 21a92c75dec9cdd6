import { appendFileSync, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isBelow } from '../../base/path.ts';
import type { Context } from '../../kernel/context.ts';
import { problem } from '../../kernel/problem.ts';
import type { Words } from '../../kernel/text/text.ts';
import { findRepository, isIgnored } from '../../machine/git.ts';
import { settings } from '../settings.ts';
import { words } from '../words.ts';

/** The part of a context or of a configuration that locates the passkey file. */
export type PasskeyPlace = Pick<Context, 'settings' | 'project' | 'environment'>;

/** The default path of the passkey file: beside the store, outside of version control and of the sandbox. */
export function defaultPasskeyFile({ project }: PasskeyPlace): string {
  return join(project.state, 'passkeys.yaml');
}

export function passkeyFileOf(place: PasskeyPlace): string {
  return settings.of(place).runner.passkeyFile ?? defaultPasskeyFile(place);
}

/** Refuses a passkey file that a commit would publish or that other users can read. */
export async function checkPasskeyFile(place: PasskeyPlace): Promise<void> {
  const path = passkeyFileOf(place);
  const safe = defaultPasskeyFile(place);
  if (path !== safe && (await isPublishable(path, place)))
    throw badFile(path, {
      en: `it is inside the project and git does not ignore it, so a commit would publish the passkeys. Move it to ${safe}, where a Runner finds it without a setting, or add it to .gitignore`,
      ja: `プロジェクトの中にあり、git の無視対象ではないため、コミットするとパスキーが公開されます。${safe} に移すか (設定がなくても Runner が見つけます)、.gitignore に追加してください`,
    });
  // A reader of this file can authenticate as any of these agents.
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    throw badFile(path, words('other users can read it; run chmod 600 on it'));
}

/** Reports whether git would commit the file. A project can be a folder of a larger repository, so that one counts too. */
async function isPublishable(path: string, { project, environment }: PasskeyPlace): Promise<boolean> {
  const folder = dirname(path);
  const real = existsSync(path)
    ? realpathSync(path)
    : join(existsSync(folder) ? realpathSync(folder) : folder, basename(path));
  const trees = [project.root, project.tree].flatMap((tree) => [
    tree,
    findRepository(tree, environment, true)?.workTree,
  ]);
  const isInside = trees.some((tree) => tree !== undefined && isBelow(real, tree));
  return isInside && !(await isIgnored(real, environment));
}

/** Adds a passkey for a Runner. Appending a YAML document keeps what a person wrote and is safe with two writers at once. */
export function keepPasskey(place: PasskeyPlace, agentId: string, passkey: string): string {
  const path = passkeyFileOf(place);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  appendFileSync(path, `\n---\n${JSON.stringify(agentId)}: ${JSON.stringify(passkey)}\n`, { mode: 0o600 });
  return path;
}

export function badFile(file: string, reason: Words) {
  return problem.BAD_CONFIGURATION({ file, reason });
}

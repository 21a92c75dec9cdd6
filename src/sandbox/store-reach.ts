import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config/load.ts';
import { realPath } from '../config/locate.ts';
import type { Environment } from '../base/environment.ts';
import type { Lang, Text } from '../kernel/text/text.ts';
import { confinedEnvironment } from './allowed.ts';
import { isWithin } from '../base/path.ts';

/** How an agent in the sandbox would get at the store all the same. */
export type StoreReach =
  | { readonly way: 'store-in-project' | 'password-in-file'; readonly at: string }
  | { readonly way: 'password-in-variable'; readonly at: string }
  /** Whoever is on this machine gets in. */
  | { readonly way: 'no-password'; readonly at: string };

const texts: Readonly<Record<StoreReach['way'], Text<{ at: string }>>> = {
  'store-in-project': {
    en: ({ at }) =>
      `the database ${at} lies where the agent can write. Leave db out of the configuration, and it lies in the data folder.`,
    ja: ({ at }) =>
      `データベース ${at} はエージェントが書き込める場所にあります。設定から db を外すと、データフォルダーに置かれます。`,
  },
  'password-in-file': {
    en: ({ at }) =>
      `${at} holds the database's password, and the agent can read it. Keep it in ~/.pgpass or SEKISHO_DB, which are not there inside.`,
    ja: ({ at }) =>
      `${at} にデータベースのパスワードがあり、エージェントが読めます。中からは見えない ~/.pgpass か SEKISHO_DB に置いてください。`,
  },
  'password-in-variable': {
    en: ({ at }) => `the variable ${at} holds the database's password, and the agent gets it. Unset it.`,
    ja: ({ at }) => `環境変数 ${at} にデータベースのパスワードがあり、エージェントに渡ります。外してください。`,
  },
  'no-password': {
    en: ({ at }) => `the database at ${at} asks for no password, and the agent can connect to it. Give it one.`,
    ja: ({ at }) =>
      `${at} のデータベースはパスワードを求めないため、エージェントが接続できます。パスワードを設定してください。`,
  },
};

export function reachText({ way, at }: StoreReach, lang: Lang): string {
  return texts[way][lang]({ at });
}

const mostBytes = 1024 * 1024;
/** Of the home, all of it shown inside: where people write variables down. */
const homely = ['', '.config/environment.d', '.config/systemd/user'];
/** Hidden inside: what libpq finds there is not the agent's. */
const hiddenCredentials = ['.pgpass', '.pg_service.conf', '.postgresql'];

/** Undefined where a sandbox does keep the store out of reach. Looks where credentials usually lie; no search of the disk. */
export function findStoreReach(
  { db, place, sandbox }: Pick<Config, 'db' | 'place' | 'sandbox'>,
  env: Environment,
  allow: readonly string[] = sandbox.allow,
): StoreReach | undefined {
  if (!URL.canParse(db) || !db.includes('://')) {
    const file = realPath(db);
    // `.sekisho/` is covered inside.
    const open = isWithin(file, realPath(place.tree)) && !isWithin(file, realPath(join(place.tree, '.sekisho')));
    return open ? { way: 'store-in-project', at: db } : undefined;
  }
  const { password, hostname, searchParams } = new URL(db);
  const home = env['HOME'] ?? homedir();
  const secret = decodeURIComponent(password) || searchParams.get('password') || env['PGPASSWORD'];
  if (secret === undefined || secret === '') {
    const hidden = hiddenCredentials.some((name) => existsSync(join(home, name)));
    // No host, or a path: a socket, which is not there inside.
    const host = searchParams.get('host') ?? hostname;
    return hidden || host === '' || host.startsWith('/') ? undefined : { way: 'no-password', at: host };
  }
  const told = (text: string) => text.includes(secret) || (password !== '' && text.includes(password));
  const variable = Object.entries(confinedEnvironment(env, allow)).find(([, value]) => told(value))?.[0];
  if (variable !== undefined) return { way: 'password-in-variable', at: variable };
  const folders = [place.tree, place.home, ...homely.map((name) => join(home, name))];
  const file = ['/etc/environment', ...folders.flatMap(filesIn)].find((path) => told(textAt(path)));
  return file === undefined ? undefined : { way: 'password-in-file', at: file };
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !hiddenCredentials.includes(name))
      .map((name) => join(folder, name));
  } catch {
    return []; // Not there.
  }
}

function textAt(path: string): string {
  try {
    const found = statSync(path);
    return found.isFile() && found.size <= mostBytes ? readFileSync(path, 'utf8') : '';
  } catch {
    return ''; // Not this user's to read, and so not the agent's.
  }
}

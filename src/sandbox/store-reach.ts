import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config/load.ts';
import { realPath } from '../config/locate.ts';
import type { Environment } from '../base/environment.ts';
import type { Lang, Text } from '../kernel/text/text.ts';
import { confinedEnvironment } from './allowed.ts';
import { isWithin } from '../base/path.ts';

/** A way in which an agent in the sandbox could still reach the store. */
export interface StoreReach {
  /** `no-password`: every process on this machine can connect. */
  readonly way: 'store-in-project' | 'password-in-file' | 'password-in-variable' | 'no-password';
  readonly at: string;
}

const texts: Readonly<Record<StoreReach['way'], Text<{ at: string }>>> = {
  'store-in-project': {
    en: ({ at }) =>
      `the agent can write to the database ${at}. Remove db from the configuration, and the database is kept in the data folder.`,
    ja: ({ at }) =>
      `データベース ${at} はエージェントが書き込める場所にあります。設定から db を外すと、データフォルダーに置かれます。`,
  },
  'password-in-file': {
    en: ({ at }) =>
      `${at} contains the database's password, and the agent can read it. Keep it in ~/.pgpass or SEKISHO_DB, which are hidden inside.`,
    ja: ({ at }) =>
      `${at} にデータベースのパスワードがあり、エージェントが読めます。中からは見えない ~/.pgpass か SEKISHO_DB に置いてください。`,
  },
  'password-in-variable': {
    en: ({ at }) => `the variable ${at} contains the database's password, and the agent gets it. Unset it.`,
    ja: ({ at }) => `環境変数 ${at} にデータベースのパスワードがあり、エージェントに渡ります。外してください。`,
  },
  'no-password': {
    en: ({ at }) => `the database at ${at} requires no password, so the agent can connect to it. Set one.`,
    ja: ({ at }) =>
      `${at} のデータベースはパスワードを求めないため、エージェントが接続できます。パスワードを設定してください。`,
  },
};

export function reachText({ way, at }: StoreReach, lang: Lang): string {
  return texts[way][lang]({ at });
}

const mostBytes = 1024 * 1024;
/** Folders of the home, visible inside, in which people define variables. */
const variableFolders = ['', '.config/environment.d', '.config/systemd/user'];
/** Files with credentials for libpq, which are hidden inside. */
const hiddenCredentials = ['.pgpass', '.pg_service.conf', '.postgresql'];

/** Finds a way to the store in the usual places of credentials; undefined if the sandbox keeps it out of reach. */
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
    // No host, or a path, means a socket, which is hidden inside.
    const host = searchParams.get('host') ?? hostname;
    return hidden || host === '' || host.startsWith('/') ? undefined : { way: 'no-password', at: host };
  }
  const hasSecret = (text: string) => text.includes(secret) || (password !== '' && text.includes(password));
  const variable = Object.entries(confinedEnvironment(env, allow)).find(([, value]) => hasSecret(value))?.[0];
  if (variable !== undefined) return { way: 'password-in-variable', at: variable };
  const folders = [place.tree, place.home, ...variableFolders.map((name) => join(home, name))];
  const file = ['/etc/environment', ...folders.flatMap(filesIn)].find((path) => hasSecret(textAt(path)));
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
    return ''; // This user cannot read it, so the agent cannot either.
  }
}

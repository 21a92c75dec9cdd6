import { join } from 'node:path';
import { pathsIn } from './allowed.ts';
import type { SandboxPlace } from './place.ts';
import { isWithin } from '../base/path.ts';
import type { Sight } from './sight.ts';

/** Files and folders of the home with keys, passwords and logins of other programs. Browser cookies are logins too. */
export const credentials: readonly string[] = [
  // Other machines, and keys of all kinds.
  '.ssh',
  '.gnupg',
  '.netrc',
  '.password-store',
  '.local/share/keyrings',
  '.vault-token',
  '.config/op',
  '.config/sops',
  // Databases.
  '.pgpass',
  '.pg_service.conf',
  '.postgresql',
  '.my.cnf',
  '.mylogin.cnf',
  // Clouds and clusters.
  '.aws',
  '.azure',
  '.config/gcloud',
  '.boto',
  '.s3cfg',
  '.oci',
  '.kube',
  '.config/rclone',
  '.config/doctl',
  '.docker/config.json',
  '.config/containers/auth.json',
  '.terraformrc',
  '.terraform.d/credentials.tfrc.json',
  // Git and its hosts.
  '.git-credentials',
  '.config/git/credentials',
  '.config/gh',
  '.config/glab-cli',
  '.config/hub',
  // Registries of packages.
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pypirc',
  '.config/pypoetry/auth.toml',
  '.gem/credentials',
  '.bundle/config',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.m2/settings.xml',
  '.m2/settings-security.xml',
  '.gradle/gradle.properties',
  '.composer/auth.json',
  '.config/composer/auth.json',
  '.nuget/NuGet/NuGet.Config',
  // Agents that are not started from here.
  '.local/share/amp',
  '.config/amp',
  '.config/github-copilot',
  // Browsers.
  '.mozilla',
  '.config/mozilla',
  '.config/google-chrome',
  '.config/chromium',
  '.config/BraveSoftware',
  '.config/microsoft-edge',
  '.config/vivaldi',
  '.config/opera',
];

type Place = Pick<SandboxPlace, 'home' | 'clients' | 'started' | 'allow'>;

/** The credentials that are hidden inside: not those that `allow` names, but the logins of clients that are not started. */
export function hiddenCredentials(place: Place): readonly string[] {
  const { home, clients, started, allow } = place;
  const logins = Object.entries(clients).flatMap(([id, { logins: own = [] }]) => (id === started ? [] : own));
  const shown = pathsIn(allow, home);
  return [...credentials, ...logins]
    .map((path) => join(home, path))
    .filter((path) => !shown.some((one) => isWithin(path, one)));
}

/** The hidden credentials with their real paths: people keep such files elsewhere and link them. */
export function hiddenPaths(place: Place, sight: Sight): readonly string[] {
  return [...new Set(hiddenCredentials(place).flatMap((path) => [path, sight.realPath(path)]))];
}

/** The credentials that `allow` names. They are readable inside, never writable. */
export function shownCredentials({ home, clients, allow }: Place): readonly string[] {
  const all = [...credentials, ...Object.values(clients).flatMap(({ logins = [] }) => logins)];
  const paths = all.map((path) => join(home, path));
  return pathsIn(allow, home).filter((one) => paths.some((path) => isWithin(path, one) || isWithin(one, path)));
}

/** The hidden credentials that exist, as `allow` would name them: for messages. */
export function tellHidden(place: Place, sight: Sight): readonly string[] {
  const found = hiddenCredentials(place).filter((path) => sight.kindOf(path) !== undefined);
  return found.map((path) => `~${path.slice(place.home.length)}`);
}

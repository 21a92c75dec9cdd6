import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { getBubblewrap } from '../../scripts/get-bubblewrap.mjs';
import { type World, createWorld, removeTemplate } from '../fixtures/sandbox/world.ts';
import { row } from '../setup/security.ts';

const missing = getBubblewrap();

/** Logins of programs that people use beside an agent. */
const others = [
  '.ssh/id_ed25519',
  '.gnupg/private-keys-v1.d/k',
  '.netrc',
  '.aws/credentials',
  '.azure/msal_token_cache.json',
  '.config/gcloud/application_default_credentials.json',
  '.kube/config',
  '.docker/config.json',
  '.config/containers/auth.json',
  '.npmrc',
  '.yarnrc.yml',
  '.pypirc',
  '.git-credentials',
  '.config/git/credentials',
  '.config/gh/hosts.yml',
  '.config/glab-cli/config.yml',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.m2/settings.xml',
  '.gradle/gradle.properties',
  '.terraform.d/credentials.tfrc.json',
  '.vault-token',
  '.my.cnf',
  '.config/rclone/rclone.conf',
  '.local/share/keyrings/login.keyring',
  '.password-store/mail.gpg',
  '.mozilla/firefox/p/cookies.sqlite',
  '.config/google-chrome/Default/Cookies',
];

/** Of clients: each has its own. */
const logins = {
  claude: ['.claude/.credentials.json', '.claude.json'],
  codex: ['.codex/auth.json'],
  gemini: ['.gemini/oauth_creds.json'],
  qwen: ['.qwen/oauth_creds.json'],
  copilot: ['.copilot/config.json'],
  opencode: ['.local/share/opencode/auth.json'],
  cursor: ['.config/cursor/auth.json'],
};

/** Beside them, in the same folders. */
const neighbours = [
  '.config/other/o',
  '.config/git/ignore',
  '.docker/contexts/c',
  '.cargo/bin/tool',
  '.codex/notes',
  '.local/share/fonts/f',
];

const everything = [...others, ...Object.values(logins).flat(), ...neighbours];
const make = everything.map((path) => `mkdir -p "$(dirname ~/${path})"; echo secret > ~/${path}`).join('\n');
const readAll = (paths: readonly string[]) =>
  `cd ~; for one in ${paths.join(' ')}; do grep -qs . "$one" && echo "$one"; done; true`;

describe.skipIf(missing !== undefined)('logins in the home', () => {
  let world: World;
  const started = (client: string | undefined) => ({ started: client });
  const said = (output: string) => output.split('\n').filter((line) => line !== '' && !line.includes('.bashrc'));
  const own = async (): Promise<World> => {
    const made = await createWorld();
    onTestFinished(() => made.remove());
    return made;
  };

  beforeAll(async () => {
    world = await createWorld();
    world.outside(make);
  });
  afterAll(async () => {
    world.remove();
    await removeTemplate();
  });

  test(`${row('sandbox.credentials')} are not there inside, and outside they are`, () => {
    const all = [...others, ...Object.values(logins).flat()];
    expect(said(world.inside(readAll(all), started(undefined)).output)).toEqual([]);
    expect(said(world.outside(readAll(all)).output)).toEqual(all);
  });

  test.each(Object.entries(logins))(
    `${row('sandbox.credentials')} of other clients are not there for %s; its own is`,
    (client, files) => {
      const seen = said(world.inside(readAll(everything), started(client)).output);
      const inItsFolder = client === 'claude' ? ['.claude/.credentials.json'] : files;
      expect(seen).toEqual(expect.arrayContaining(inItsFolder));
      const theirs = Object.entries(logins).flatMap(([one, paths]) => (one === client ? [] : paths));
      expect(seen.filter((path) => [...others, ...theirs].includes(path))).toEqual([]);
    },
  );

  test(`${row('sandbox.everyday')} what lies beside them is there, and cannot be written`, () => {
    expect(said(world.inside(readAll(neighbours), started(undefined)).output)).toEqual(neighbours);
    const writes = [
      '.config/x',
      '.config/gh/x',
      '.docker/config.json',
      '.cargo/credentials.toml',
      '.local/share/x',
      '.netrc',
    ];
    for (const path of writes)
      expect(
        world.inside(`mkdir -p "$(dirname ~/${path})" && echo x > ~/${path}`, started(undefined)),
      ).not.toMatchObject({ code: 0 });
  });

  test(`${row('sandbox.everyday')} a project in a folder that also holds logins is writable, and they are not there`, async () => {
    const other = await own();
    other.outside('mkdir -p ~/.config/gh ~/.config/app; echo s > ~/.config/gh/h');
    for (const folder of ['.config/app', '.config']) {
      const tree = join(other.home, folder);
      const changes = { project: tree, tree, cwd: tree, git: undefined };
      expect(other.inside('echo x > new && rm new', changes)).toMatchObject({ code: 0 });
    }
    const tree = join(other.home, '.config/app');
    expect(other.inside('cat ~/.config/gh/h', { project: tree, tree, cwd: tree, git: undefined })).toMatchObject({
      code: 1,
    });
  });

  test(`${row('sandbox.everyday')} npm works without the person’s settings for it`, async () => {
    const other = await own();
    other.outside('echo "registry=https://registry.example.invalid/" > ~/.npmrc');
    expect(other.inside('npm test --silent && npm config get registry')).toMatchObject({
      code: 0,
      output: expect.stringContaining('https://registry.npmjs.org/'),
    });
  });

  test(`${row('sandbox.credentials')} that appear while the sandbox runs stay out`, async () => {
    const other = await own();
    other.outside('mkdir -p ~/.config/other ~/.docker; echo {} > ~/.docker/config.json');
    const agent = other.startInside(`echo ready; while [ ! -e go ]; do sleep 0.05; done; ${readAll(everything)}`);
    let output = '';
    agent.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await once(agent.stdout, 'data');
    other.outside(`${make}; echo new > ~/fresh && mv ~/fresh ~/.docker/config.json; touch go`);
    await once(agent, 'close');
    expect(said(output).filter((path) => others.includes(path))).toEqual([]);
  });

  test(`${row('sandbox.credentials')} that are links are not there under their other name either`, async () => {
    const other = await own();
    other.outside(
      'mkdir -p ~/dot/config/gh ~/dot/vim $B/kube; echo s > ~/dot/netrc; echo s > ~/dot/config/gh/h; echo s > ~/dot/vim/v; echo s > $B/kube/k',
    );
    other.outside('ln -s dot/netrc ~/.netrc; ln -s dot/config ~/.config; ln -s $B/kube ~/.kube');
    expect(
      said(
        other.inside(`cat ~/.netrc ~/dot/netrc ~/.config/gh/h ~/dot/config/gh/h ~/.kube/k $B/kube/k 2>/dev/null`)
          .output,
      ),
    ).toEqual([]);
    expect(other.inside('cat ~/dot/vim/v')).toMatchObject({ code: 0 });
  });

  test('are there to be read where sandbox.allow names them', () => {
    const show = (allow: readonly string[]) =>
      said(world.inside(readAll(others), { started: undefined, allow: [...allow] }).output);
    expect(show(['~/.aws', `${world.home}/.config/gcloud`])).toEqual([
      '.aws/credentials',
      '.config/gcloud/application_default_credentials.json',
    ]);
    expect(show(['~/.config'])).toEqual(others.filter((path) => path.startsWith('.config/')));
    expect(show(['~/.docker/config.json'])).toEqual(['.docker/config.json']);
    expect(world.inside('echo x > ~/.aws/credentials', { allow: ['~/.aws'] })).not.toMatchObject({ code: 0 });
    expect(show(['~/.ssh/id_ed25519'])).toEqual(['.ssh/id_ed25519']);
    expect(world.inside('echo x > ~/.ssh/id_ed25519', { allow: ['~/.ssh/id_ed25519'] })).not.toMatchObject({ code: 0 });
  });
});

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { temporaryFolder } from './clean-up.mjs';

/** A person's token. `init` creates the user's state and takes it from the environment. */
export const personToken = 'the-token-of-the-person-at-the-bench';

/**
 * A git repository that `sekisho init --client claude` prepared, in a home folder of its own.
 * `configuration` replaces the one that init wrote; `definitions` are files of bench/fixtures; git tracks `files` files.
 */
export function makeProject(product, { configuration, definitions = [], files = 60 } = {}) {
  const home = temporaryFolder(path.join(tmpdir(), 'sekisho-bench-'));
  const root = path.join(home, 'project');
  // Nothing leaks in from the surroundings: an agent's markers would change who the client is.
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    LANG: 'C',
    LOG_LEVEL: 'error',
    XDG_DATA_HOME: path.join(home, 'data'),
  };
  plantRepository(root, env, files);
  const asPerson = { cwd: root, env: { ...env, SEKISHO_PERSON_TOKEN: personToken, SEKISHO_TOKEN: personToken } };
  run([process.execPath, product.bin, 'init', '--client', 'claude', '--yes'], asPerson);
  const server = readJson(home, '.claude.json').projects[root].mcpServers.sekisho;
  const hooks = readJson(home, '.claude', 'settings.json').hooks.PreToolUse;
  const project = {
    root,
    env,
    /** The program that init installed, started as the client's configuration says. */
    sekisho: server.command,
    mcp: [server.command, ...server.args],
    hook: hooks[0].hooks[0].command,
    runAsPerson: (args, input) => run([server.command, ...args], { ...asPerson, input }),
    /** The SQLite file, once a process has opened it. */
    database() {
      const stores = path.join(env.XDG_DATA_HOME, 'sekisho', 'state', 'stores');
      return path.join(stores, readdirSync(stores)[0], 'sekisho.db');
    },
  };
  for (const name of definitions)
    cpSync(
      path.join(import.meta.dirname, 'fixtures', `${name}.yaml`),
      path.join(root, '.sekisho', 'processes', `${name}.yaml`),
    );
  if (configuration !== undefined)
    writeFileSync(path.join(root, '.sekisho', 'config.yaml'), JSON.stringify(configuration));
  if (configuration !== undefined || definitions.length > 0) project.runAsPerson(['trust', '--json']);
  return project;
}

function plantRepository(root, env, files) {
  mkdirSync(path.join(root, 'src'), { recursive: true });
  for (let n = 0; n < files; n += 1)
    writeFileSync(path.join(root, 'src', `file-${n}.ts`), `export const value = ${n};\n`.repeat(40));
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', ...args], { cwd: root, env });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
}

function run([program, ...args], options) {
  const { status, stdout, stderr } = spawnSync(program, args, { ...options, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return stdout;
}

function readJson(...parts) {
  return JSON.parse(readFileSync(path.join(...parts), 'utf8'));
}

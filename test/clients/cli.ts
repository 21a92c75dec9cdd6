import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { getPackage } from '../../scripts/get-package.mjs';
import { personToken } from '../setup/person.ts';

/** Real agent CLIs, fetched from npm when first needed. `npm install` chooses this Claude Code for Node 20. */
export const claudeVersion = '2.1.197';
export const codexVersion = '0.169.0';

export const sekisho = resolve(import.meta.dirname, '../../bin/sekisho');

export function claudeBinary(version: string = claudeVersion): string {
  return join(
    dirname(getPackage('@anthropic-ai/claude-code', version)),
    `claude-code-${process.platform}-${process.arch}`,
    'claude',
  );
}

/** The native program itself: the package's launcher would need its own Node and a linked platform package. */
export function codexBinary(): string {
  const target = { x64: 'x86_64', arm64: 'aarch64' }[process.arch as 'x64' | 'arm64'];
  const vendor = join(
    dirname(getPackage('@openai/codex', codexVersion)),
    `codex-${process.platform}-${process.arch}`,
    'vendor',
    `${target}-unknown-linux-musl`,
  );
  const found = ['codex/codex', 'bin/codex', 'codex']
    .map((name) => join(vendor, name))
    .find((path) => existsSync(path));
  if (found === undefined) throw new Error(`no codex under ${vendor}`);
  return found;
}

/** A folder with nothing in it but the program that the package brings along as a script. */
export function scriptFolder(name: string, version: string): string {
  return join(getPackage(name, version), '..', ...(name.startsWith('@') ? ['..'] : []), '.bin');
}

export interface Home {
  readonly folder: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
  write(path: string, text: string): string;
  close(): void;
}

/** A user with nothing but a project: own home, no keys, nothing of this environment. */
export function makeHome(): Home {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sekisho-client-')));
  const project = join(folder, 'project');
  mkdirSync(project);
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: folder,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
  };
  return {
    folder,
    project,
    env,
    write(path, text) {
      const full = join(project, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, text);
      return full;
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** What a person has in their environment where there is no terminal; the first command that has it makes the token valid. */
export const asPerson = { SEKISHO_PERSON_TOKEN: personToken, SEKISHO_TOKEN: personToken };

/** Writes the configuration, and a person looks at it. */
export async function configure(home: Home, text: string): Promise<void> {
  home.write('.sekisho/config.yaml', text);
  const env = { ...home.env, ...asPerson };
  const { code, stdout, stderr } = await run(process.execPath, [sekisho, 'trust', '--json'], {
    cwd: home.project,
    env,
  });
  if (code !== 0) throw new Error(stdout + stderr);
}

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The lines of the CLI's stream. */
  readonly events: readonly Record<string, any>[];
}

export function run(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: Readonly<Record<string, string>>; input?: string },
): Promise<Outcome> {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd: options.cwd, env: options.env, stdio: ['pipe', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.once('error', fail);
    child.stdin.on('error', () => undefined); // It may end without reading.
    child.stdin.end(options.input ?? '');
    child.once('close', (code) => {
      const events = stdout
        .split('\n')
        .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Record<string, any>] : []));
      done({ code, stdout, stderr, events });
    });
  });
}

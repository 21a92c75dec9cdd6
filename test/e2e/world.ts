import { type ChildProcess, spawn } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type TestAPI, describe, inject, test } from 'vitest';
import { expectAsWritten } from '../setup/as-written.ts';
import { type ProjectPlace, locate } from '../../src/config/locate.ts';
import { configurationFile } from '../../src/kernel/trust.ts';
import { dataFolder } from '../../src/config/data-folder.ts';
import { registerRoot } from '../../src/config/register.ts';
import { listRoots } from '../../src/config/root.ts';
import { freshDatabase } from '../setup/database.ts';
import { type Database, databases } from '../setup/databases.ts';
import { personToken } from '../setup/person.ts';
import { trustConfiguration } from '../setup/trust.ts';
import { killAll } from '../setup/processes.ts';

/** The product as a user has it: built, started as processes, reached by a real client. */
export const bin = resolve(import.meta.dirname, '../../bin/sekisho');
export const node = process.env['SEKISHO_TEST_NODE'] ?? process.execPath;

export type Surface = 'stdio' | 'http';

export interface ClientSettings {
  readonly role?: string;
  readonly name?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly path?: string;
  readonly options?: ClientOptions;
  /** Before it is connected: what it answers when it is asked. */
  readonly prepare?: (client: Client) => void;
}

/** An answer as a test wants it: the structured result, or the failure's envelope. */
export interface Reply {
  readonly isError: boolean;
  // Tests read arbitrary fields of answers; `unknown` would only add casts.
  readonly value: Record<string, any>;
  readonly text: string;
  readonly raw: Record<string, any>;
}

export interface World {
  readonly surface: Surface;
  readonly database: Database;
  readonly project: string;
  readonly db: string;
  /** Where the user's state and this project's are. */
  readonly place: ProjectPlace;
  /** What a process of this world has in its environment, and nothing else: an agent's mark would change who it is. */
  readonly env: Readonly<Record<string, string>>;
  /** Writes a file of the project and returns its relative path. A configuration is trusted, as if a person had looked. */
  write(path: string, text: string): string;
  /** When what was written is trusted. All that a world starts waits for it; what a test starts by itself must. */
  trusted(): Promise<void>;
  client(settings?: ClientSettings): Promise<Client>;
  /** Calls a tool as the default client (role agent). */
  call(tool: string, input?: object, client?: Client): Promise<Reply>;
  /** Runs the command line in the project, without a terminal: as an agent. */
  cli(
    args: readonly string[],
    settings?: { input?: string; env?: Readonly<Record<string, string>>; cwd?: string },
  ): Promise<CommandOutcome>;
  /** The same with a person's token. */
  person: World['cli'];
  /** The one of this world, started by the first who asks. */
  daemon(port?: number): Promise<DaemonHandle>;
  close(): Promise<void>;
}

export interface CommandOutcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly json: Record<string, any>;
}

export interface DaemonHandle {
  readonly url: string;
  readonly process: ChildProcess;
  token(role: 'agent' | 'human'): string;
}

/** Registers the project of a world, as `init` does, unless a test has registered a root itself. */
export function registerProject({ place, project, db }: Pick<World, 'place' | 'project' | 'db'>): void {
  if (listRoots(place.data).length === 0) registerRoot(place.data, project, new Date(), { db });
}

/** `name`: of the project's folder, where somebody will read it. */
export async function makeWorld(surface: Surface, database: Database, name = 'project'): Promise<World> {
  const mark = process.env['SEKISHO_TEST_RUN'] ?? 'sekisho-test';
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `${mark}-`)));
  const project = join(folder, name);
  mkdirSync(join(project, '.sekisho', 'processes'), { recursive: true });
  const templates = inject('templates');
  const fresh = database === 'postgres' ? await freshDatabase(undefined, templates.postgres) : undefined;
  const db = fresh?.url ?? join(project, '.sekisho', 'sekisho.db');
  if (fresh === undefined) copyFileSync(templates.sqlite, db);
  // HOME marks what is started here and below, down to an agent's own children: `close` ends all of it.
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    XDG_DATA_HOME: join(folder, 'data'),
    LANG: 'C',
    SEKISHO_DB: db,
  };
  const { state, userDatabase } = dataFolder(env);
  mkdirSync(state, { recursive: true, mode: 0o700 });
  copyFileSync(templates.user, userDatabase);
  const clients: Client[] = [];
  let seen = Promise.resolve();
  let daemon: Promise<DaemonHandle> | undefined;
  let standard: Promise<Client> | undefined;

  const startDaemon = async (port: number): Promise<DaemonHandle> => {
    await seen;
    registerProject(world);
    const child = spawn(node, [bin, 'up', '--port', String(port), '--json'], {
      cwd: project,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
    const line = await new Promise<string>((done, fail) => {
      createInterface({ input: child.stdout }).once('line', done);
      child.once('exit', () => fail(new Error(`the daemon ended: ${errors}`)));
    });
    const told = JSON.parse(line) as { url: string; tokens: { agent: string } };
    const token = (role: 'agent' | 'human') =>
      role === 'human' ? personToken : readFileSync(told.tokens.agent, 'utf8').trim();
    return { url: told.url, process: child, token };
  };

  const world: World = {
    surface,
    database,
    project,
    db,
    place: locate({ cwd: project, env }),
    env,
    write(path, text) {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), text);
      if (path === configurationFile) seen = seen.then(() => trustConfiguration(project, env));
      return path;
    },
    trusted: () => seen,
    async client(settings = {}) {
      await seen;
      const client = new Client({ name: settings.name ?? 'sekisho-test', version: '1.0.0' }, settings.options ?? {});
      settings.prepare?.(client);
      // A server over stdio is always an agent's: people come through the daemon.
      if (surface === 'stdio' && !isPersons(settings.role)) {
        const role = settings.role === undefined ? [] : ['--role', settings.role];
        await client.connect(
          new StdioClientTransport({
            command: node,
            args: [bin, 'mcp', ...role, ...(settings.args ?? [])],
            cwd: project,
            env: { ...env, ...settings.env },
            stderr: 'ignore',
          }),
        );
      } else {
        const { url, token } = await world.daemon();
        const headers = {
          Authorization: `Bearer ${token(isPersons(settings.role) ? 'human' : 'agent')}`,
          ...(settings.role !== undefined && { 'Sekisho-Role': settings.role }),
        };
        await client.connect(
          new StreamableHTTPClientTransport(address(url, settings.path ?? '/mcp', project), {
            requestInit: { headers },
          }),
        );
      }
      clients.push(client);
      return client;
    },
    async call(tool, input = {}, client) {
      await seen;
      const chosen = client ?? (await (standard ??= world.client()));
      const raw = (await chosen.callTool({ name: tool, arguments: input as Record<string, unknown> })) as Record<
        string,
        any
      >;
      const text = String(raw['content']?.[0]?.text ?? '');
      let value: Record<string, any> = {};
      try {
        value = raw['structuredContent'] ?? (JSON.parse(text) as Record<string, any>);
      } catch {
        // Plain text is a failure of the upstream toolset.
      }
      return { isError: raw['isError'] === true, value, text, raw };
    },
    async cli(args, settings = {}) {
      await seen;
      return new Promise((done) => {
        const child = spawn(node, [bin, ...args], {
          cwd: settings.cwd ?? project,
          env: { ...env, ...settings.env },
          // In a session of its own it has no terminal, also where a person runs the tests at one.
          detached: true,
          stdio: ['pipe', 'pipe', 'pipe'],
        });
        let stdout = '';
        let stderr = '';
        // A letter may come in two pieces.
        child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
        child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
        child.stdin.on('error', () => undefined); // It may end without reading.
        child.stdin.end(settings.input ?? '');
        child.once('close', (code) => {
          let json: Record<string, any> = {};
          try {
            json = JSON.parse(stdout) as Record<string, any>;
          } catch {
            // Not every command prints JSON.
          }
          done({ code, stdout, stderr, json });
        });
      });
    },
    person: (args, settings = {}) =>
      world.cli(args, { ...settings, env: { SEKISHO_TOKEN: personToken, ...settings.env } }),
    daemon: (port = 0) => (daemon ??= startDaemon(port)),
    async close() {
      await seen;
      await Promise.all(clients.map((client) => client.close().catch(() => undefined)));
      await killAll(({ environment }) => environment.includes(folder));
      try {
        await expectAsWritten(db);
      } finally {
        await fresh?.drop();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
  return world;
}

/** The environment of another machine on the same database, with the same people: a data folder has one daemon. */
export function otherMachine({ env }: World): Readonly<Record<string, string>> {
  const data = mkdtempSync(join(env['HOME'] ?? '', 'machine-'));
  cpSync(env['XDG_DATA_HOME'] ?? '', data, { recursive: true });
  return { ...env, XDG_DATA_HOME: data };
}

/** Roles that the processes of these tests leave to agents. */
function isPersons(role: string | undefined): boolean {
  return role !== undefined && !['agent', 'tester'].includes(role);
}

/** As `init` writes it: several folders may be registered by the time that it is used. */
function address(url: string, path: string, project: string): URL {
  const whole = new URL(`${url}${path}`);
  if (!whole.searchParams.has('project')) whole.searchParams.set('project', project);
  return whole;
}

/** A test with a world of its own, which is made when the test names it and ends with the test, however that ends. */
export type WorldTest = TestAPI<{ world: World }>;

/** Every way in and every database once: for what may hang on either of them, but not on which two come together. */
export function inTwoWorlds(title: string, tests: (test: WorldTest) => void): void {
  describe.each([
    ['stdio', 'sqlite'],
    ['http', databases.at(-1) as Database],
  ] as const)(`${title} (%s, %s)`, (surface, database) => inOneWorld(surface, database, tests));
}

export function inOneWorld(surface: Surface, database: Database, tests: (test: WorldTest) => void): void {
  tests(
    test.extend<{ world: World }>({
      // Vitest reads from the pattern what a fixture needs; this one needs nothing.
      // oxlint-disable-next-line eslint/no-empty-pattern
      async world({}, use) {
        const world = await makeWorld(surface, database);
        await use(world);
        await world.close();
      },
    }),
  );
}

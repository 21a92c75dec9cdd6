import { readSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { type HookPlace, type HookQuestion, type HookReply, answerHook, eventOf, parseHook } from '../hook/answer.ts';
import { agentAmong } from '../kernel/callers.ts';
import { messageOf, stackOf } from '../base/failure.ts';
import { hookCallers } from './hook-callers.ts';
import { socketInside } from '../sandbox/socket.ts';
import { locate, placeOfRoot, rootsAround } from '../config/locate.ts';
import { readRoot } from '../config/root.ts';
import { isDatabaseFile, isDatabaseMissing, refuseLostDatabase, wasDatabaseMade } from '../config/database.ts';
import { type HookConfig, type LoadedHookConfig, loadHookConfig } from '../config/hook.ts';
import { type Flags, type Surroundings, readHookSurroundings, preferredLang, userHome } from '../config/load.ts';
import { databaseName } from '../base/database-name.ts';
import { version } from '../base/version.ts';
import { type HookEvent, hookEvents } from '../fleet/agent-hook.ts';
import { type HookedClient, findHookedAgent, hookedAgents, movedFolders, projectFolders } from '../fleet/agents.ts';
import { isJsonObject, textOf } from '../base/json-object.ts';
import { isProblem } from '../kernel/problem.ts';
import type { Store } from '../kernel/store/store.ts';
import { openFoundStore } from '../store/open-found.ts';
import { isUnmade } from '../store/schema.ts';
import { phrase, problem } from '../hook/problem.ts';

/** Runs `sekisho hook <event> [--client …]`: one question on stdin, one answer on stdout. Returns the exit code. */
export async function runHook(args: readonly string[]): Promise<number> {
  const { flags, client, event, help, probe } = readLine(args);
  const around = { ...readHookSurroundings(), clientVariables: projectFolders };
  const lang = preferredLang(args, around.env);
  const usage = phrase.usage({ clients: hookedAgents.map((one) => one.id), events: hookEvents })(lang);
  if (help) return print({ text: usage, note: '' });
  const known = findHookedAgent(client);
  const named = hookEvents.find((one) => one === event);
  if (known === undefined || named !== event) return endFault(named, usage);
  let text = '';
  try {
    if (probe) return await tellPlace(flags, around);
    text = readInput();
    return print(await answer(known, { client, event, text }, flags, around));
  } catch (error) {
    const asked = eventOf(known, event, parseHook(text));
    const reason = isProblem(error) ? error.in(lang) : messageOf(error);
    const said = probe ? reason : phrase.failed({ reason, closed: mayBlock(asked) })(lang);
    return endFault(asked, isProblem(error) ? said : `${said}\n${stackOf(error)}`);
  }
}

/** Whether a fault may block the agent. Only the question before a tool call can be denied: an agent must be able to stop. */
function mayBlock(event: HookEvent | undefined): boolean {
  return event === undefined || event === 'pre-tool-use';
}

/** Turns a fault into an exit code. For every client 2 means "blocked, and stderr says why", and 1 a failed hook. */
function endFault(event: HookEvent | undefined, note: string): number {
  try {
    writeAll(2, `${note}\n`);
  } catch {
    // stderr is closed. The exit code still reports the fault.
  }
  return mayBlock(event) ? 2 : 1;
}

async function answer(
  client: HookedClient,
  question: HookQuestion,
  flags: Flags,
  around: Surroundings,
): Promise<HookReply> {
  const socket = socketInside(around.env);
  if (socket !== undefined) return askOutside(socket, question);
  const raw = parseHook(question.text);
  const cwd = isJsonObject(raw) ? client.hook.read(raw).cwd : undefined;
  const { config, failure, isStoreKnown } = await loadHookConfig(flags, around, cwd);
  const callers = await hookCallers(around.env);
  if (!isDatabaseFile(config.db) && failure === undefined) {
    // Connecting to a database server takes longer than all the rest, and the daemon is connected already.
    const { askDaemon } = await import('../daemon/record.ts');
    const answered = await askDaemon(config, question, callers);
    if (answered !== undefined) return answered;
  }
  const opened: { readonly config: HookConfig; readonly store: () => Promise<Store | undefined> }[] = [];
  const placeOf = ({ config: here, failure: fault, isStoreKnown: known }: LoadedHookConfig): HookPlace => {
    const store = known ? storeOf(here) : () => Promise.reject(fault);
    opened.push({ config: here, store });
    return {
      config: here,
      failure: fault,
      callers,
      cwd: resolve(around.cwd, cwd ?? '.'),
      home: userHome(),
      moved: movedFolders(around.env),
      // A hook does not check the agent's token, so the actor is unverified.
      actor: { role: 'agent', id: agentAmong(callers) ?? `os:${here.user}`, verified: false, person: false },
      locate: (folder) => locate({ project: folder, cwd: folder, env: around.env }),
      starts: [around.cwd, ...projectFolders.flatMap((name) => around.env[name] || [])],
      rootsAround: (path) => rootsAround(here.place.data, path).map((root) => root.path),
      elsewhere: async (path) => {
        const root = readRoot(here.place.data, path);
        if (root === undefined) return undefined;
        const there = placeOfRoot(here.place.data, root);
        return placeOf(await loadHookConfig({}, { ...around, env: ofUser(around.env) }, undefined, there));
      },
      store,
    };
  };
  const reply = await answerHook(question, placeOf({ config, failure, isStoreKnown }));
  // A SQLite file is not closed: that would checkpoint its WAL, which takes longer than the whole hook.
  for (const { config: one, store } of opened)
    if (!isDatabaseFile(one.db)) await (await store().catch(() => undefined))?.close();
  return reply;
}

/** The environment without the variables that are for one project. */
function ofUser(env: Surroundings['env']): Surroundings['env'] {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith('SEKISHO_') || name === 'SEKISHO_DATA'),
  );
}

async function askOutside(socket: string, question: HookQuestion): Promise<HookReply> {
  const { askThroughSocket } = await import('./hook-bridge.ts');
  return askThroughSocket(socket, question).catch((error: unknown) => {
    throw problem.HOOK_DAEMON_GONE({ reason: messageOf(error) });
  });
}

async function tellPlace(flags: Flags, around: Surroundings): Promise<number> {
  const { config, failure } = await loadHookConfig(flags, around, undefined);
  if (failure !== undefined) throw failure;
  const { root, tree, key: projectKey } = config.project;
  return print({ text: JSON.stringify({ version, root, tree, db: databaseName(config.db), projectKey }), note: '' });
}

/** Returns a function that opens the store at most once. It never creates a database. */
function storeOf(config: HookConfig): () => Promise<Store | undefined> {
  let opened: Promise<Store | undefined> | undefined;
  return () => (opened ??= openFound(config));
}

/** Opens the store; undefined if there never was a database, so no run can be current. A lost or empty one is a problem. */
async function openFound({ db, place: { state } }: HookConfig): Promise<Store | undefined> {
  refuseLostDatabase(state, db);
  if (isDatabaseFile(db) && isDatabaseMissing(db)) return undefined;
  try {
    return await openFoundStore(db);
  } catch (error) {
    // A server that is just starting has not created its tables yet.
    if (isUnmade(error) && !wasDatabaseMade(state, db)) return undefined;
    throw error;
  }
}

function print({ text, note }: { readonly text: string; readonly note: string }): number {
  if (note !== '') writeAll(2, `${note}\n`);
  if (text !== '') writeAll(1, `${text}\n`);
  return 0;
}

const flagsWithValue: Readonly<Record<string, keyof Flags | 'client'>> = {
  client: 'client',
  'run-id': 'runId',
  project: 'project',
  db: 'db',
  lang: 'lang',
  role: 'role',
  toolsets: 'toolsets',
};

/** Parses the arguments by hand: Node's parser takes as long as the decision. */
function readLine(args: readonly string[]) {
  const values: Record<string, string> = {};
  const words: string[] = [];
  let help = false;
  /** Only prints the project that it finds, to check that this command works. */
  let probe = false;
  for (let index = 0; index < args.length; index++) {
    const [name, inline] = cut(args[index] ?? '');
    const key = name.startsWith('--') ? flagsWithValue[name.slice(2)] : undefined;
    if (key !== undefined) values[key] = inline ?? args[++index] ?? '';
    else if (name === '--help' || name === '-h') help = true;
    else if (name === '--probe') probe = true;
    else if (!name.startsWith('-')) words.push(name);
  }
  const { client = 'claude', ...flags } = values;
  return { flags, client: textOf(client) ?? 'claude', event: words[0], help, probe };
}

function cut(word: string): readonly [string, string | undefined] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

const cell = new Int32Array(new SharedArrayBuffer(4));

/** Reads all of stdin synchronously: Node's streams take milliseconds to load. */
function readInput(): string {
  const chunks: Buffer[] = [];
  for (;;) {
    const chunk = Buffer.allocUnsafe(65_536);
    const size = whenReady(() => readSync(0, chunk));
    if (size === 0) break;
    chunks.push(chunk.subarray(0, size));
  }
  return Buffer.concat(chunks).toString('utf8');
}

function writeAll(stream: 1 | 2, text: string): void {
  const bytes = Buffer.from(text);
  for (let sent = 0; sent < bytes.length;) sent += whenReady(() => writeSync(stream, bytes, sent) || bytes.length);
}

/** Retries I/O on a pipe that the other end made non-blocking (EAGAIN). A closed stream counts as empty. */
function whenReady(work: () => number): number {
  for (;;) {
    try {
      return work();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF' || code === 'EBADF') return 0;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(cell, 0, 0, 1);
    }
  }
}

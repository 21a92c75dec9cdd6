import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { confinePort } from '../../sandbox/port.ts';
import type { Context } from '../../kernel/context.ts';
import { findAgentCli } from '../agents.ts';
import { type Check, locateProgram, missingProgram, readHealth, recordCheck } from './health.ts';
import { startChild } from '../host/child.ts';
import { openLog } from '../host/log-file.ts';
import { startOf } from '../../machine/identity.ts';
import { runProgram } from '../../machine/run-program.ts';
import type { Role } from './roles.ts';
import { agentMarker, agentTree, withoutMarks } from '../host/spawn-host.ts';
import { endTree } from '../../machine/tree.ts';
import { phrase } from '../problem.ts';
import { fleetSettings } from '../settings.ts';
import type { Environment } from '../../base/environment.ts';

const versionMs = 20_000;
const promptMs = 60_000;
const keptErrors = 4000;

export interface Probe {
  readonly health: Check;
  readonly model: Check | null;
}

/** Checks that the program starts. With `withPrompt`, which costs a model call, also that it answers. */
async function probeRole(context: Context, role: Role, env: Environment, withPrompt: boolean): Promise<Probe> {
  const checkedAt = context.now().toISOString();
  const check = (message: string | null): Check => ({
    status: message === null ? 'passed' : 'failed',
    message,
    checkedAt,
  });
  const cli = findAgentCli(role.cli);
  const found = locateProgram(context, role);
  if (found === undefined) return { health: check(missingProgram(context, role)), model: null };
  // An arbitrary `command` may not know --version, so being installed is enough.
  const broken = cli.program === undefined ? undefined : await versionFault(context, found, env);
  if (broken !== undefined)
    return {
      health: check(context.say(phrase.roleBrokenProgram({ program: basename(found), reason: broken }))),
      model: null,
    };
  if (!withPrompt || role.healthCheckPrompt === undefined) return { health: check(null), model: null };
  const late = context.say(phrase.roleNoAnswer({ ms: promptMs }));
  const fault = await promptFault(context, role, role.healthCheckPrompt, found, env, late);
  if (fault === undefined) return { health: check(null), model: cli.choosesModel ? check(null) : null };
  return {
    health: check(context.say(phrase.rolePromptFailed({ reason: fault }))),
    model: /\bmodel\b/i.test(fault) ? check(fault) : null,
  };
}

async function versionFault(context: Context, program: string, env: Environment): Promise<string | undefined> {
  let errors = '';
  const line = [program, '--version'];
  const launch = await confinePort.of(context)({ line, tree: context.project.tree, env: withoutMarks(env) });
  if ('refused' in launch) return context.say(launch.refused);
  const { exitCode, timedOut, error } = await runProgram([launch.program, ...launch.args], {
    timeoutMs: versionMs,
    signal: context.signal,
    env: launch.env,
    descriptors: launch.descriptors,
    onStart: () => launch.started(),
    onOutput: (chunk, stream) => {
      if (stream === 'stderr' && errors.length < keptErrors) errors += chunk.toString('utf8');
    },
  });
  await launch.ended();
  if (exitCode === 0) return undefined;
  const how = timedOut ? `no answer in ${versionMs} ms` : (error ?? `exit code ${exitCode ?? 'unknown'}`);
  return errors.trim().split('\n')[0] || how;
}

/** Runs the role's prompt in an empty folder, without access to our server. */
async function promptFault(
  context: Context,
  role: Role,
  prompt: string,
  program: string,
  env: Environment,
  late: string,
): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'sekisho-check-'));
  const cwd = join(folder, 'work');
  mkdirSync(cwd);
  const cli = findAgentCli(role.cli);
  const envFile = join(folder, 'env.json');
  const invocation = cli.invoke({
    model: role.model === 'default' ? undefined : role.model,
    permissions: 'read',
    prompt,
    systemPrompt: undefined,
    workingDirectory: cwd,
    folder,
    command: role.command,
    // A server that answers: most CLIs wait for their servers, up to half a minute for one that does not.
    server: { command: process.execPath, args: ['-e', emptyServer], env: {} },
    envFile,
    confinement: undefined,
    // Nothing to gate: it answers one prompt in an empty folder.
    hook: () => 'true',
  });
  writeFileSync(envFile, '{}', { mode: 0o600 });
  for (const [name, text] of Object.entries(invocation.files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
  const line = [program, ...invocation.args];
  const start = { line, tree: folder, cwd, env: { ...withoutMarks(env), ...invocation.env }, client: cli.id };
  const launch = await confinePort.of(context)(start);
  if ('refused' in launch) {
    rmSync(folder, { recursive: true });
    return context.say(launch.refused);
  }
  const log = openLog(join(folder, 'log'));
  const mark = `check-${folder.split('-').at(-1)}`;
  let done: () => void = () => undefined;
  const ended = new Promise<'done'>((resolve) => (done = () => resolve('done')));
  const child = startChild({
    cli,
    launch: { ...launch, env: { ...launch.env, ...invocation.env, [agentMarker]: mark } },
    invocation,
    cwd,
    log,
    onEnd: done,
  });
  const root = child.pid === undefined ? undefined : { pid: child.pid, start: startOf(child.pid) ?? '' };
  const timer = setTimeout(done, promptMs);
  context.signal.addEventListener('abort', done, { once: true });
  try {
    const first = await Promise.race([child.exited, ended]);
    await endTree(agentTree(mark, root), 2000);
    const exit = await child.exited;
    child.release();
    const { error, ended: finished } = child.tally();
    if (error !== undefined) return error;
    if (finished || exit.code === 0) return undefined;
    if (first === 'done') return late;
    return child.errors() || exit.error?.message || `exit code ${exit.code}`;
  } finally {
    clearTimeout(timer);
    context.signal.removeEventListener('abort', done);
    log.close();
    await launch.ended();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Checks several roles at once, each combination of program, model and prompt once. `done` is called for each. */
export async function probeRoles(
  context: Context,
  roles: readonly Role[],
  env: Environment,
  withPrompt: boolean,
  done: (role: Role, probe: Probe) => Promise<void>,
): Promise<void> {
  const asked = new Map<string, Promise<Probe>>();
  await Promise.all(
    roles.map(async (role) => {
      const { cli, model, command, healthCheckPrompt } = role;
      const key = JSON.stringify([cli, model, command, healthCheckPrompt]);
      const probe = asked.get(key) ?? probeRole(context, role, env, withPrompt);
      asked.set(key, probe);
      const found = await probe;
      if (!context.signal.aborted) await done(role, found);
    }),
  );
}

/** Checks, in the background, roles that were never checked or too long ago. A missing program needs no record. */
export async function checkInBackground(context: Context, env: Environment): Promise<void> {
  const due = (await readHealth(context)).filter((one) => one.healthCheck === null).map((one) => one.role);
  const { healthPrompts } = (await fleetSettings(context)).fleet;
  await probeRoles(context, due, env, healthPrompts, (role, found) => recordCheck(context, role, found));
}

/** An MCP server without tools. */
const emptyServer = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const serverInfo = { name: 'sekisho', version: '0' };
  const answers = {
    initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo },
    'tools/list': { tools: [] },
    ping: {},
  };
  const rest = answers[method] ? { result: answers[method] } : { error: { code: -32601, message: 'not here' } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...rest }) + '\\n');
});`;

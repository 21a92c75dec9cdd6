import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createApp } from '../../app/application.ts';
import { configure } from '../../app/configure.ts';
import { installCopy, shimOf } from '../../setup/own-copy.ts';
import { trustFiles } from '../../app/user/trust-files.ts';
import { authorOf } from '../../app/user/user-store.ts';
import { dataFolder } from '../../config/data-folder.ts';
import { registerRoot } from '../../config/register.ts';
import { approve } from '../../gate/operation/approve.ts';
import { invocations } from '../../setup/invocation.ts';
import type { Environment } from '../../base/environment.ts';
import { invoke } from '../../kernel/invoke.ts';
import { packagePath } from '../../base/package.ts';
import { isJsonObject } from '../../base/json-object.ts';
import type { Lang } from '../../kernel/text/text.ts';
import { makeToken } from '../../kernel/token.ts';
import { configurationFile } from '../../kernel/trust.ts';
import { runProgram } from '../../machine/run-program.ts';

/** A scratch project for the demo with its own data folder, apart from the person's. */
export interface Stage {
  readonly project: string;
  write(path: string, text: string): void;
  /** Runs our command line as an agent's shell would, and returns its JSON answer. */
  agent(...args: readonly string[]): Promise<DemoAnswer>;
  /** Runs Claude Code's hook command for an edit. Returns why it is denied; undefined where it is allowed. */
  mayEdit(path: string): Promise<string | undefined>;
  /** Asks about the evidence, and approves if the answer is yes. */
  approve(runId: string, ask: (evidence: string) => Promise<boolean>): Promise<boolean>;
  remove(): void;
}

// The answer of any command; each step reads the fields that it needs.
type DemoAnswer = Readonly<Record<string, unknown>>;

const patienceMs = 60_000;
const client = 'claude';

export async function openStage(
  outer: Environment,
  lang: Lang,
  files: Readonly<Record<string, string>>,
): Promise<Stage> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sekisho-demo-')));
  const project = join(folder, 'project');
  // No variables of an agent CLI: even if an agent started the demo, the only agent in it is the scripted one.
  const env = { PATH: outer['PATH'], HOME: folder, XDG_DATA_HOME: join(folder, 'data'), SEKISHO_LANG: lang };
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  const data = dataFolder(env);
  registerRoot(data, project, new Date());
  installCopy(data);
  const shim = shimOf(data);
  const token = makeToken();
  const personal = {
    env: { ...env, SEKISHO_PERSON_TOKEN: token, SEKISHO_TOKEN: token },
    cwd: project,
    terminal: false,
  };
  const config = await configure({}, personal);
  // We have just written these files, so a person need not review them.
  const own = Object.entries(files).filter(([path]) => path.startsWith(dirname(configurationFile)));
  const seen = own.map(([file, text]) => ({ file, text, programs: [] }));
  await trustFiles(config, authorOf(config.user).actor, seen);

  const run = async (line: readonly string[]): Promise<string> => {
    let out = '';
    const onOutput = (chunk: Buffer, stream: string) => {
      if (stream === 'stdout') out += chunk.toString('utf8');
    };
    await runProgram(line, { cwd: project, env, timeoutMs: patienceMs, onOutput });
    return out;
  };
  return {
    project,
    write,
    async agent(...args) {
      return JSON.parse(await run([process.execPath, packagePath('bin', 'sekisho'), ...args, '--json'])) as DemoAnswer;
    },
    async mayEdit(path) {
      const question = join(folder, 'question.json');
      const asked = { hook_event_name: 'PreToolUse', session_id: 'demo', cwd: project, tool_name: 'Edit' };
      writeFileSync(question, JSON.stringify({ ...asked, tool_input: { file_path: join(project, path) } }));
      const calls = invocations(client, { scope: 'own', shim, tree: project, repository: project, env });
      const answer: unknown = JSON.parse(
        (await run(['/bin/sh', '-c', `${calls.hook('pre-tool-use')} < '${question}'`])) || '{}',
      );
      const said = isJsonObject(answer) ? answer['hookSpecificOutput'] : undefined;
      return isJsonObject(said) && said['permissionDecision'] === 'deny'
        ? String(said['permissionDecisionReason'])
        : undefined;
    },
    async approve(runId, ask) {
      const app = createApp(await configure({}, personal));
      try {
        const context = await app.context({});
        const question = await approve.confirm?.(context, { run_id: runId });
        if (question === undefined || !(await ask(question.text))) return false;
        return (await invoke(app, context, approve, question.input)).ok;
      } finally {
        await app.close();
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

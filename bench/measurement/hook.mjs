import { spawn } from 'node:child_process';
import http from 'node:http';
import { emptyNode } from '../empty-node.mjs';
import { openHttp, post, startDaemon } from '../http-client.mjs';
import { makeProject, processId } from '../project.mjs';
import { interleave, summarize, timed } from '../statistics.mjs';

const question = {
  session_id: 'bench',
  transcript_path: '/dev/null',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
};

export const hook = {
  name: 'hook',
  async run({ product, quick }) {
    const project = makeProject();
    const daemon = await startDaemon([product.bin, 'up', '--port', '0', '--json'], {
      cwd: project.root,
      env: project.env,
    });
    const client = await openHttp(daemon);
    await client.call('state_gate.create_run', { process_id: processId });
    const rows = [
      await asCommand(
        product,
        project,
        quick ? { rounds: 15, warmUp: 2, deadlineMs: 4000 } : { rounds: 80, warmUp: 2, deadlineMs: 20_000 },
      ),
      await asRequest(
        project,
        daemon,
        quick ? { rounds: 200, warmUp: 50, deadlineMs: 2000 } : { rounds: 2000, warmUp: 100, deadlineMs: 15_000 },
      ),
    ];
    client.close();
    await daemon.close();
    return rows;
  },
};

async function asCommand(product, project, options) {
  const what = 'sekisho hook pre-tool-use';
  if (!product.hasHook) return { what, skipped: 'there is no src/hook.ts yet' };
  const samples = await interleave(
    {
      empty: () => emptyNode(project),
      ours: () => timed(() => decide([product.bin, 'hook', 'pre-tool-use'], project)),
    },
    options,
  );
  const floor = { name: 'node -e 0', ...summarize(samples.empty) };
  return { what, ...summarize(samples.ours), floor, bar: { ratio: 1.6 } };
}

/** The state denies Bash: a hook that has nothing to say here did not look. */
function decide(args, { root, env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['pipe', 'pipe', 'pipe'] });
    let out = '';
    child.stdin.on('error', () => {});
    child.stdout.on('data', (data) => (out += data));
    child.stderr.on('data', (data) => (out += data));
    child.once('exit', () => (/deny/.test(out) ? resolve() : reject(new Error(`the hook did not deny: ${out}`))));
    child.stdin.end(JSON.stringify({ ...question, cwd: root }));
  });
}

async function asRequest(project, { url, token }, options) {
  const what = 'POST /hook/claude';
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { Authorization: `Bearer ${token}` };
  const ask = () => post(`${url}/hook/claude?event=pre-tool-use`, { ...question, cwd: project.root }, agent, headers);
  const { status, body } = await ask();
  if (status === 404) return { what, skipped: 'the daemon has no /hook/claude yet' };
  if (!/deny/.test(body)) throw new Error(`the hook did not deny: ${status} ${body}`);
  const samples = await interleave(
    {
      health: () => timed(() => post(`${url}/health`, {}, agent, {})),
      ours: () => timed(ask),
    },
    options,
  );
  agent.destroy();
  const floor = { name: 'POST /health', ...summarize(samples.health) };
  return { what, ...summarize(samples.ours), floor, bar: { p50: 10 } };
}

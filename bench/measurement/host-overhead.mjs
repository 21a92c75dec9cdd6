import { spawn } from 'node:child_process';
import { agentProgram, openFleet } from '../fleet.mjs';
import { interleave, summarize, timed } from '../statistics.mjs';

/** An agent from run_agents to the answer of wait_agent, against spawning the same program and waiting for its exit. */
export const hostOverhead = {
  name: 'host-overhead',
  async run({ product, quick, postgres }) {
    const rows = [];
    for (const database of ['SQLite', 'PostgreSQL']) {
      const fleet = await openFleet(product, 10, database === 'SQLite' ? undefined : await postgres.freshDatabase());
      const samples = await interleave(
        {
          direct: () => timed(() => direct(fleet.project)),
          ours: () => timed(async () => ensureDone(await fleet.wait(await fleet.start(1, 0)))),
        },
        { rounds: quick ? 10 : 40, warmUp: 2 },
      );
      await fleet.client.close();
      const ours = summarize(samples.ours);
      const floor = { name: 'the program alone', ...summarize(samples.direct) };
      const note = `a host costs ${(ours.p50 - floor.p50).toFixed(0)} ms`;
      rows.push({ what: `an agent under its host, ${database}`, ...ours, floor, note });
    }
    return rows;
  },
};

function direct({ root, env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [agentProgram], { cwd: root, env, stdio: ['pipe', 'pipe', 'pipe'] });
    child.once('error', reject);
    child.once('close', resolve);
    child.stdout.resume();
    child.stdin.end('0');
  });
}

function ensureDone(agents) {
  const bad = agents.find(({ status }) => status !== 'completed');
  if (bad !== undefined) throw new Error(`an agent did not complete: ${JSON.stringify(bad)}`);
}

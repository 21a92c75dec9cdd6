import { hello, startStdio } from '../stdio-client.mjs';
import { makeProject } from '../project.mjs';
import { emptyNode } from '../empty-node.mjs';
import { interleave, summarize } from '../statistics.mjs';

const warmUp = 2;

export const coldStart = {
  name: 'cold-start',
  async run({ product, quick }) {
    const project = makeProject();
    // The database exists, and the code cache has seen this project's way through the code.
    const first = startStdio([product.bin, 'mcp'], { cwd: project.root, env: project.env });
    await first.open();
    await first.call('state_gate.create_run', { process_id: 'pendulum' });
    await first.close();

    const greetings = [];
    const calls = [];
    const samples = await interleave(
      {
        empty: () => emptyNode(project),
        /** What a client waits for before its model can see a tool. */
        async listed() {
          const started = performance.now();
          const server = startStdio([product.bin, 'mcp'], { cwd: project.root, env: project.env });
          await server.request('initialize', hello);
          greetings.push(performance.now() - started);
          server.notify('notifications/initialized');
          await server.request('tools/list');
          const listed = performance.now() - started;
          await server.call('state_gate.get_state');
          calls.push(performance.now() - started);
          await server.close();
          return listed;
        },
      },
      quick ? { rounds: 15, warmUp, deadlineMs: 4500 } : { rounds: 80, warmUp, deadlineMs: 25_000 },
    );
    const floor = { name: 'node -e 0', ...summarize(samples.empty) };
    return [
      { what: 'spawn → tools/list', ...summarize(samples.listed), floor, bar: { ratio: 3 } },
      { what: 'spawn → initialize', ...summarize(greetings.slice(warmUp)), floor },
      { what: 'spawn → first get_state', ...summarize(calls.slice(warmUp)), floor },
    ];
  },
};

import { hello, startStdio } from '../stdio-client.mjs';
import { makeProject } from '../project.mjs';
import { emptyNode } from '../empty-node.mjs';
import { interleave, summarize } from '../statistics.mjs';

export const coldStart = {
  name: 'cold-start',
  async run({ product, quick }) {
    const project = makeProject();
    // The database exists, and the code cache has seen this project's way through the code.
    const first = startStdio([product.bin, 'mcp'], { cwd: project.root, env: project.env });
    await first.open();
    await first.call('state_gate.create_run', { process_id: 'pendulum' });
    await first.close();

    const lists = [];
    const calls = [];
    const samples = await interleave(
      {
        empty: () => emptyNode(project),
        async ours() {
          const started = performance.now();
          const server = startStdio([product.bin, 'mcp'], { cwd: project.root, env: project.env });
          await server.request('initialize', hello);
          const initialized = performance.now() - started;
          server.notify('notifications/initialized');
          await server.request('tools/list');
          lists.push(performance.now() - started);
          await server.call('state_gate.get_state');
          calls.push(performance.now() - started);
          await server.close();
          return initialized;
        },
      },
      quick ? { rounds: 15, warmUp: 2, deadlineMs: 4500 } : { rounds: 80, warmUp: 2, deadlineMs: 25_000 },
    );
    const floor = { name: 'node -e 0', ...summarize(samples.empty) };
    return [
      { what: 'spawn → initialize', ...summarize(samples.ours), floor, bar: { ratio: 3 } },
      { what: 'spawn → first tools/list', ...summarize(lists.slice(2)), floor },
      { what: 'spawn → first get_state', ...summarize(calls.slice(2)), floor },
    ];
  },
};

import { makeProject } from '../project.mjs';
import { emptyNode } from '../run-to-end.mjs';
import { interleave, summarize } from '../statistics.mjs';
import { hello, openStdio, startStdio } from '../stdio-client.mjs';

const warmUp = 2;

export const coldStart = {
  name: 'cold-start',
  async run({ product, quick }) {
    const project = makeProject(product);
    // A project in which somebody works: the database exists and has a run.
    const first = await openStdio(project.mcp, project);
    await first.call('state_gate.create_run', { process_id: 'explore-plan-implement-verify' });
    await first.close();

    const firstCalls = [];
    const samples = await interleave(
      {
        empty: () => emptyNode(project),
        /** What a client waits for before its model can see a tool. */
        async listed() {
          const started = performance.now();
          const server = startStdio(project.mcp, project);
          await server.request('initialize', hello);
          server.notify('notifications/initialized');
          await server.request('tools/list');
          const listed = performance.now() - started;
          await server.call('state_gate.get_state');
          firstCalls.push(performance.now() - started);
          await server.close();
          return listed;
        },
      },
      { rounds: quick ? 15 : 80, warmUp },
    );
    const floor = { name: 'node -e 0', ...summarize(samples.empty) };
    return [
      { what: 'spawn → tools/list', ...summarize(samples.listed), floor, bar: { ratio: 3 } },
      { what: 'spawn → first get_state', ...summarize(firstCalls.slice(warmUp)), floor, bar: { ratio: 8 } },
    ];
  },
};

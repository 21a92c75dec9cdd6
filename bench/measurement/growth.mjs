import { closeAll } from '../clean-up.mjs';
import { startPendulum } from '../pendulum.mjs';
import { makeProject } from '../project.mjs';
import { interleave, summarize, timed } from '../statistics.mjs';
import { openStdio } from '../stdio-client.mjs';

/**
 * The last tenth of a long run against the first tenth of a young one, in a database of its own, one event here and one
 * there: the beginning and the end of one run lie minutes apart, in which the machine itself gets faster or slower.
 */
export const growth = {
  name: 'growth',
  async run({ product, quick }) {
    const clients = await Promise.all([openServer(product), openServer(product)]);
    const rows = [];
    for (const events of quick ? [1000] : [1000, 100_000]) rows.push(await measure(clients, events));
    await closeAll(clients);
    return rows;
  },
};

function openServer(product) {
  const project = makeProject(product, { definitions: ['pendulum'] });
  return openStdio(project.mcp, project);
}

async function measure([server, other], events) {
  const old = await startPendulum(server);
  // Compiled code is faster than new code: the other server gets as warm, on a run that does not count.
  await Promise.all([swingTo(old, 0.9 * events), swingTo(await startPendulum(other), Math.min(events, 1000))]);
  const young = await startPendulum(other);
  const samples = await interleave(
    { old: () => timed(old.swing), young: () => timed(young.swing) },
    { rounds: Math.min(0.1 * events, 1000) },
  );
  return {
    what: `emit_event, last tenth of ${events.toLocaleString('en')} events`,
    ...summarize(samples.old),
    floor: { name: 'first tenth, beside it', ...summarize(samples.young) },
    bar: { ratio: 1.2 },
  };
}

async function swingTo(pendulum, revision) {
  while (pendulum.revision() < revision) await pendulum.swing();
}

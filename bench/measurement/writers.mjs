import path from 'node:path';
import { closeAll } from '../clean-up.mjs';
import { makeProject } from '../project.mjs';
import { summarize } from '../statistics.mjs';
import { startStdio } from '../stdio-client.mjs';

const count = 8;
const ms = 1000;
const committer = path.join(import.meta.dirname, '../fixtures/committer.mjs');

/**
 * Eight processes that emit events without a pause, each to a run of its own, against eight that commit bare rows. There
 * is no transport in between: this is about the gate and its store.
 */
export const writers = {
  name: 'writers',
  async run({ product, quick, postgres }) {
    const turns = quick ? 4 : 12;
    return [
      ...(await measure(product, 'SQLite', undefined, turns)),
      ...(await measure(product, 'PostgreSQL', await postgres.freshDatabase(), turns)),
    ];
  },
};

async function measure(product, database, db, turns) {
  const project = makeProject(product, { configuration: { toolsets: ['gate'], db }, definitions: ['pendulum'] });
  const startEight = (...args) => Array.from({ length: count }, () => startStdio([process.execPath, ...args], project));
  const programs = {
    bare: startEight(committer, db ?? path.join(project.env.HOME, 'floor.db')),
    gate: startEight(product.emitter),
  };
  const taken = { bare: [], gate: [] };
  // Servers live for hours. Each one warms up alone, where it gets further than beside seven others.
  for (const one of programs.gate) await one.request('writeFor', { ms });
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [name, eight] of Object.entries(programs)) {
      const answers = await Promise.all(eight.map((one) => one.request('writeFor', { ms })));
      taken[name].push(...answers.flatMap((one) => one.taken));
    }
  }
  await closeAll(Object.values(programs).flat());
  const gate = summarize(taken.gate);
  const perSecond = (name) => Math.round((taken[name].length * 1000) / (turns * ms));
  return [
    {
      what: `${count} writers, ${database}: bare commits for one event`,
      ...gate,
      ratio: taken.bare.length / taken.gate.length,
      bar: { ratio: 5 },
      note: `${perSecond('gate')} events/s, ${perSecond('bare')} bare commits/s`,
    },
    { what: `${count} writers, ${database}: p99 for one p50`, ratio: gate.p99 / gate.p50, bar: { ratio: 10 } },
  ];
}

import path from 'node:path';
import { makeProject } from '../project.mjs';
import { summarize } from '../statistics.mjs';
import { closeAll, startWorkers } from '../worker-client.mjs';

/** What it costs that the journal lists every changed row with its digest, and links what it lists. */
export const chain = {
  name: 'chain',
  async run({ product, quick, postgres }) {
    const rows = [];
    for (const database of ['SQLite', 'PostgreSQL']) {
      const url = database === 'SQLite' ? undefined : await postgres.freshDatabase();
      const project = makeProject();
      const workers = await startWorkers(product, project, 1);
      const location = url ?? path.join(project.root, 'chain.db');
      const taken = await workers[0].ask('chain', { location, rounds: quick ? 300 : 2000 });
      await closeAll(workers);
      rows.push({
        what: `commit of a row, digested, ${database}`,
        ...summarize(taken.followed),
        floor: { name: 'the same, not digested', ...summarize(taken.cached) },
        note: `leaf, link and digest alone ${(summarize(taken.digest).p50 * 1000).toFixed(0)} µs; journal verify ${Math.round((taken.entries / taken.verified) * 1000)} entries/s`,
      });
    }
    return rows;
  },
};

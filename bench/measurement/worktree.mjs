import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { makeProject } from '../project.mjs';
import { summarize, timed } from '../statistics.mjs';
import { openStdio } from '../stdio-client.mjs';

/** Handing in work that is compared by content: every file is read for the guard, and again for the reviewer's difference. */
export const worktree = {
  name: 'worktree',
  async run({ product, quick }) {
    const rows = [{ ...(await measure(product, 10_000, quick ? 5 : 20)), bar: { p50: 1000 } }];
    if (!quick) rows.push(await measure(product, 100_000, 3));
    return rows;
  },
};

async function measure(product, files, rounds) {
  const project = makeProject(product, { definitions: ['tree'], files });
  const client = await openStdio(project.mcp, project);
  const { run_id: run } = await client.call('state_gate.create_run', { process_id: 'tree' });
  let revision = 0;
  const emit = async (event) => {
    await client.call('state_gate.emit_event', {
      run_id: run,
      event_name: event,
      expected_revision: revision,
      idempotency_key: `${event}-${revision}`,
    });
    revision += 1;
  };
  const submitted = [];
  for (let round = -1; round < rounds; round += 1) {
    appendFileSync(path.join(project.root, 'src', 'file-0.ts'), `export const again = ${round};\n`);
    const taken = await timed(() => emit('submit'));
    if (round >= 0) submitted.push(taken);
    await emit('resume');
  }
  await client.close();
  return { what: `emit_event that compares ${files.toLocaleString('en')} files`, ...summarize(submitted) };
}

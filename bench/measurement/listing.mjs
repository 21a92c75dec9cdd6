import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { makeProject, processId } from '../project.mjs';
import { interleave, summarize, timed } from '../statistics.mjs';
import { startStdio } from '../stdio-client.mjs';
import { closeAll } from '../worker-client.mjs';

const runs = 1000;
/** In one of the runs; the others share the rest. */
const longest = 10_000;

export const listing = {
  name: 'listing',
  async run({ product, quick }) {
    const journal = quick ? 100_000 : 1_000_000;
    const project = makeProject();
    const place = { cwd: project.root, env: project.env };
    const setUp = startStdio([product.bin, 'mcp'], place);
    await setUp.open();
    const { run_id: pattern } = await setUp.call('state_gate.create_run', { process_id: processId });
    await setUp.call('state_gate.emit_event', {
      run_id: pattern,
      event_name: 'swing',
      payload: { n: 1 },
      expected_revision: 0,
      idempotency_key: 'pattern',
    });
    await setUp.close();
    const long = fill(project.db, pattern, journal);

    const ours = startStdio([product.bin, 'mcp'], place);
    const floor = startStdio([product.floor, 'stdio', path.join(project.root, 'floor.db')], place);
    await ours.open();
    await floor.open();
    const rows = await measure(
      ours,
      floor,
      long,
      quick ? { rounds: 300, warmUp: 50, deadlineMs: 2500 } : { rounds: 1500, warmUp: 100, deadlineMs: 12_000 },
    );
    await closeAll([ours, floor]);
    const size = `${runs.toLocaleString('en')} runs, ${journal.toLocaleString('en')} journal rows`;
    return rows.map((row) => ({ ...row, note: size }));
  },
};

/** Copies of one real run, event and journal entry, set up directly: through the gate it would take minutes. */
function fill(file, pattern, journal) {
  const db = new DatabaseSync(file);
  const copy = (table, columns, count) =>
    db
      .prepare(
        `with recursive n (i) as (select 0 union all select i + 1 from n where i + 1 < ${count})
        insert into ${table} (${Object.keys(columns).join(', ')}) select ${Object.values(columns).join(', ')}
        from n cross join ${table} as old where old.rowid = (select max(rowid) from ${table})`,
      )
      .run();
  const sameAs = (names, changed) => ({
    ...Object.fromEntries(names.map((name) => [name, `old.${name}`])),
    ...changed,
  });
  const columnsOf = (table) =>
    db
      .prepare(`select name from pragma_table_info('${table}')`)
      .all()
      .map(({ name }) => name);
  const runId = (number) => `printf('${pattern.slice(0, -6)}%06d', ${number})`;
  const events = journal / 2;
  db.exec('pragma synchronous = off; pragma foreign_keys = off; begin');
  copy(
    'run',
    sameAs(columnsOf('run'), { id: runId('i'), revision: String(Math.ceil((events - longest) / runs)) }),
    runs,
  );
  const fresh = { id: `'evt-copy-' || i`, idempotency_key: `'key-' || i` };
  copy(
    'event',
    sameAs(columnsOf('event'), { ...fresh, run_id: runId(`i % ${runs}`), revision: `i / ${runs} + 1` }),
    events - longest,
  );
  const from = Math.ceil((events - longest) / runs) + 1;
  const more = { id: `'evt-more-' || i`, idempotency_key: `'more-' || i`, run_id: runId(7), revision: `i + ${from}` };
  copy('event', sameAs(columnsOf('event'), more), longest);
  const { seq: _, ...entry } = sameAs(columnsOf('journal'), { subject: runId(`i % ${runs}`) });
  copy('journal', entry, journal);
  db.exec('commit; analyze');
  db.close();
  return `${pattern.slice(0, -6)}000007`;
}

async function measure(ours, floor, long, options) {
  const middle = (await ours.call('state_gate.list_runs', { limit: 50 })).next_cursor;
  // The cursor of a page deep in the history of the longest run, as `get_history` itself would write it.
  const deep = Buffer.from(String(longest - 500)).toString('base64url');
  const questions = {
    list_runs: {},
    'list_runs, second page': { limit: 50, cursor: middle },
    get_state: { run_id: long },
    get_history: { run_id: long },
    'get_history, deep page': { run_id: long, cursor: deep },
  };
  const { events } = await ours.call('state_gate.get_history', { run_id: long, cursor: deep });
  if (!(events[0]?.revision > longest - 501)) throw new Error('the cursor of the deep page is not understood');
  const subjects = Object.entries(questions).map(([what, input]) => [
    what,
    () => timed(() => ours.call(`state_gate.${what.split(',')[0]}`, input)),
  ]);
  const samples = await interleave(
    { ...Object.fromEntries(subjects), trivial: () => timed(() => floor.call('trivial')) },
    options,
  );
  const trivial = { name: 'trivial tool', ...summarize(samples.trivial) };
  return Object.keys(questions).map((what) => ({
    what,
    ...summarize(samples[what]),
    floor: trivial,
    bar: { p50: 5 },
  }));
}

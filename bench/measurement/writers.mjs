import path from 'node:path';
import { makeProject } from '../project.mjs';
import { summarize } from '../statistics.mjs';
import { closeAll, startWorkers } from '../worker-client.mjs';

const count = 8;
const floors = {
  SQLite: { floorName: `${count} bare commits of one row`, limit: 3 },
  PostgreSQL: { floorName: `${count} × one row and one counter`, limit: 2 },
};

export const writers = {
  name: 'writers',
  async run({ product, quick, postgres }) {
    const rows = [];
    for (const database of ['SQLite', 'PostgreSQL']) {
      const url = database === 'SQLite' ? undefined : await postgres.freshDatabase();
      const project = makeProject(url);
      const workers = await startWorkers(product, project, count);
      const floor = url ?? path.join(project.root, 'floor.db');
      await Promise.all(workers.map((one) => one.ask('open', { floor })));
      rows.push(
        ...(await throughput(database, workers, quick)),
        await oneWinner(database, workers, quick ? 800 : 4000),
        await oneEvent(database, workers, quick ? 800 : 4000),
      );
      await closeAll(workers);
    }
    return rows;
  },
};

async function throughput(database, workers, quick) {
  const turns = quick ? 2 : 5;
  const ms = quick ? 400 : 1200;
  const ours = [];
  const bare = [];
  let lost = 0;
  await warmUp(workers, quick ? 2 : 8);
  for (let turn = 0; turn < turns; turn += 1) {
    bare.push(...(await inParallel(workers, 'commitFor', { ms })).flatMap(({ took }) => [...took]));
    const emitted = await inParallel(workers, 'emitFor', { ms });
    for (const { run, took } of emitted) {
      const [state] = await workers[0].ask('query', { sql: 'select revision from run where id = :run', run });
      if (state.revision !== took.length) lost += 1;
    }
    ours.push(...emitted.flatMap(({ took }) => [...took]));
  }
  const seconds = (turns * ms) / 1000;
  const { floorName, limit } = floors[database];
  const summary = summarize(ours);
  return [
    {
      what: `${count} writers, own runs, ${database}`,
      ...summary,
      // Not its p90: who waits for seven others is never even, which says nothing of the machine.
      floor: { name: floorName, p50: summarize(bare).p50 },
      ratio: bare.length / ours.length,
      bar: { ratio: limit },
      note: `${Math.round(ours.length / seconds)} events/s; floor ${Math.round(bare.length / seconds)}/s; ratio of throughputs`,
    },
    {
      what: `${count} writers, slowest, ${database}`,
      ratio: summary.p99 / summary.p50,
      bar: { ratio: 10 },
      note: 'p99 over p50 of the same',
    },
    {
      what: `${count} writers, lost, ${database}`,
      bar: { count: lost, limit: 0 },
      note: `${lost} acknowledged writes`,
    },
  ];
}

/**
 * Servers live for hours: what V8 does to code that has run a few times only is none of theirs. Everything that is measured
 * happens before, in the same turns: with each new run V8 gives up some of what it made for the one before, until it has seen
 * enough of them. Two processes at a time, since eight are so slow that each would still be compiled while it is measured; all
 * of them before and after that, for what only happens where others are in the way.
 */
async function warmUp(workers, turns) {
  await oneTurn(workers, 1500);
  for (let from = 0; from < workers.length; from += 2)
    for (let turn = 0; turn < turns; turn += 1) await oneTurn(workers.slice(from, from + 2), 1000);
  for (let turn = 0; turn < 3; turn += 1) await oneTurn(workers, 1200);
}

async function oneTurn(workers, ms) {
  await inParallel(workers, 'commitFor', { ms: ms / 4 });
  await inParallel(workers, 'emitFor', { ms });
}

/** All at the same revision of the same run at the same moment, every one with a key of its own. */
async function oneWinner(database, workers, ms) {
  const run = await workers[0].ask('createRun');
  let bad = 0;
  const codes = {};
  const end = performance.now() + ms;
  let revision = 0;
  for (; performance.now() < end; revision += 1) {
    const answers = await inParallel(workers, 'claim', { run, revision, at: soon() });
    if (answers.filter(({ won }) => won).length !== 1) bad += 1;
    for (const { code = 'won' } of answers) codes[code] = (codes[code] ?? 0) + 1;
  }
  const [{ events }] = await workers[0].ask('query', {
    sql: 'select count(*) as events from event where run_id = :run',
    run,
  });
  if (events !== revision) bad += 1;
  return {
    what: `${count} writers, one revision, ${database}`,
    bar: { count: bad, limit: 0 },
    note: `${revision} revisions, ${events} events, ${bad} bad; ${Object.entries(codes)
      .map(([code, times]) => `${code} ${times}`)
      .join(', ')}`,
  };
}

/** The same request with the same key from all: one event, as many successes as there are callers. */
async function oneEvent(database, workers, ms) {
  const run = await workers[0].ask('createRun');
  let bad = 0;
  const end = performance.now() + ms;
  let revision = 0;
  for (; performance.now() < end; revision += 1) {
    const answers = await inParallel(workers, 'claim', { run, revision, key: `same-${revision}`, at: soon() });
    const ids = new Set(answers.map(({ event }) => event));
    if (ids.size !== 1 || ids.has(undefined)) bad += 1;
  }
  const [{ events }] = await workers[0].ask('query', {
    sql: 'select count(*) as events from event where run_id = :run',
    run,
  });
  if (events !== revision) bad += 1;
  return {
    what: `${count} equal calls, ${database}`,
    bar: { count: bad, limit: 0 },
    note: `${revision} keys, ${events} events, ${bad} bad`,
  };
}

function inParallel(workers, action, input) {
  return Promise.all(workers.map((one) => one.ask(action, input)));
}

/** Late enough for the message to have reached everybody. */
function soon() {
  return Number(process.hrtime.bigint()) / 1e6 + 4;
}

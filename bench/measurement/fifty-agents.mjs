import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { makeProject } from '../project.mjs';
import { summarize } from '../statistics.mjs';
import { openStdio } from '../stdio-client.mjs';

const count = 50;
const hostLimitMb = 60;
const workMs = 3000;
const agentProgram = path.join(import.meta.dirname, '../fixtures/agent.mjs');

/** Fifty agents in one group: how soon all of them work, and how large their hosts are. */
export const fiftyAgents = {
  name: 'fifty-agents',
  async run({ product, postgres }) {
    return [
      ...(await measure(product, 'SQLite', undefined)),
      ...(await measure(product, 'PostgreSQL', await postgres.freshDatabase())),
    ];
  },
};

async function measure(product, database, db) {
  const roles = [{ id: 'bench', cli: 'command', command: [process.execPath, agentProgram] }];
  const configuration = { toolsets: ['gate', 'fleet'], fleet: { maxConcurrent: count }, roles, db };
  const project = makeProject(product, { configuration });
  const client = await openStdio(project.mcp, project);
  const { groupId } = await client.call('create_group', { description: 'bench' });
  const asked = Date.now();
  const agents = Array.from({ length: count }, () => ({ role: 'bench', prompt: String(workMs) }));
  const started = (await client.call('run_agents', { groupId, agents })).agents.map(({ agentId }) => agentId);
  const hosts = sampleHosts(started);
  const ended = await waitForAll(client, started);
  const megabytes = hosts.stop();
  await client.close();
  const failed = ended.filter(({ status }) => status !== 'completed');
  if (ended.length !== count || failed.length > 0)
    throw new Error(`not every agent completed: ${JSON.stringify(failed)}`);
  const starts = readFileSync(path.join(project.root, 'starts'), 'utf8').trim().split('\n').map(Number);
  const { p50, max } = summarize(megabytes);
  return [
    {
      what: `${count} agents at once, ${database}: each works after`,
      ...summarize(starts.map((at) => at - asked)),
      bar: { max: 5000 },
    },
    {
      what: `${count} agents at once, ${database}: memory of a host`,
      n: megabytes.length,
      bar: { count: megabytes.filter((one) => one > hostLimitMb).length, limit: 0 },
      note: `p50 ${p50.toFixed(0)} MB, most ${max.toFixed(0)} MB; above ${hostLimitMb} MB is bad`,
    },
  ];
}

async function waitForAll(client, agentIds) {
  for (;;) {
    const { timedOut, completed } = await client.call('wait_agent', { agentIds });
    if (!timedOut) return completed;
  }
}

/** The most that each host ever had in memory. Only Linux tells. */
function sampleHosts(ids) {
  const peak = new Map();
  const timer = setInterval(() => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const words = read(`/proc/${pid}/cmdline`).split('\0');
      const id = words[words.indexOf('host') + 1];
      const found = /VmHWM:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`));
      if (words.includes('host') && ids.includes(id) && found !== null) peak.set(id, Number(found[1]) / 1024);
    }
  }, 200);
  return {
    stop() {
      clearInterval(timer);
      return [...peak.values()];
    },
  };
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // The process has ended.
  }
}

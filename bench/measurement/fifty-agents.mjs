import { readFileSync, readdirSync } from 'node:fs';
import { openFleet } from '../fleet.mjs';
import { summarize } from '../statistics.mjs';

const count = 50;
const hostLimitMb = 60;

/** Fifty agents in one group: all end, the store keeps up, and no host is large. */
export const fiftyAgents = {
  name: 'fifty-agents',
  async run({ product, postgres }) {
    const rows = [];
    for (const database of ['SQLite', 'PostgreSQL']) {
      const fleet = await openFleet(product, count, database === 'SQLite' ? undefined : await postgres.freshDatabase());
      const started = performance.now();
      const ids = await fleet.start(count, 3000);
      const sampling = sampleHosts(ids);
      const agents = await fleet.wait(ids);
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      const hosts = sampling.stop();
      await fleet.client.close();
      const unfinished = agents.filter(({ status }) => status !== 'completed').length + (count - agents.length);
      const megabytes = summarize(hosts);
      rows.push({
        what: `${count} agents of 3 s at once, ${database}`,
        bar: { count: unfinished, limit: 0 },
        note: `all ended after ${seconds} s`,
      });
      if (hosts.length > 0)
        rows.push({
          what: `memory of their hosts, ${database}`,
          n: hosts.length,
          bar: { count: hosts.filter((one) => one > hostLimitMb).length, limit: 0 },
          note: `p50 ${megabytes.p50.toFixed(0)} MB, most ${megabytes.max.toFixed(0)} MB; bad is above ${hostLimitMb} MB`,
        });
    }
    return rows;
  },
};

/** The most that each host ever had in memory, where the system tells. */
function sampleHosts(ids) {
  const peak = new Map();
  const timer = setInterval(() => {
    for (const pid of pids()) {
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

function pids() {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return []; // Not Linux.
  }
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { heldAfterCollection } from '../../test/setup/collected.mjs';
import { openHttp, post, startDaemon } from '../http-client.mjs';
import { configure, makeProject } from '../project.mjs';
import { hello } from '../stdio-client.mjs';

const warmUp = 10_000;
/** Ends whenever its tool is called, and leaves a mark whenever it starts. */
const crashing = path.join(import.meta.dirname, '../../test/fixtures/upstreams/crashing.mjs');

/** A daemon that runs for weeks: what it holds after many requests, sessions and restarts of upstreams, by what it held before. */
export const memory = {
  name: 'memory',
  async run({ product, quick }) {
    const requests = quick ? 10_000 : 100_000;
    const sessions = quick ? 200 : 1000;
    const restarts = quick ? 20 : 500;
    const project = makeProject();
    const starts = path.join(project.root, 'starts');
    writeFileSync(starts, '');
    const upstreams = { crashing: { command: [process.execPath, crashing, starts] } };
    configure(project, product, JSON.stringify({ upstreams }));
    const daemon = await startDaemon(['--inspect=127.0.0.1:0', product.bin, 'up', '--port', '0', '--json'], {
      cwd: project.root,
      env: project.env,
    });
    try {
      const client = await openHttp(daemon, { maxSockets: 8 });
      const kinds = [
        { what: 'requests of the 2025 era', count: requests, work: () => client.call('list_tasks') },
        { what: 'requests of the 2026 era', count: requests, work: modernCaller(daemon) },
        { what: 'sessions opened and dropped', count: sessions, work: () => dropSession(daemon) },
        { what: 'restarts of an upstream', count: restarts, workers: 1, work: () => restart(fresh, starts) },
      ];
      const rows = [];
      let fresh = client;
      for (const { what, count, workers = 8, work } of kinds) {
        // So many sessions were opened that the first was given up for them, as any client's may be.
        if (workers === 1) fresh = await openHttp(daemon);
        // What is loaded, compiled and cached at the first of them is no growth, nor is V8's choice of a roomier heap.
        await repeat(Math.min(count, warmUp), workers, work);
        const before = await heldBy(daemon);
        await repeat(count, workers, work);
        const after = await heldBy(daemon);
        rows.push({
          what: `memory of a daemon after ${count} ${what}`,
          n: count,
          ratio: after / before,
          bar: { ratio: 1.1 },
          note: `${MiB(before)} MiB, then ${MiB(after)} MiB; ${MiB(residentBytes(daemon.pid))} MiB are resident`,
        });
      }
      client.close();
      fresh.close();
      return rows;
    } finally {
      await daemon.close();
    }
  },
};

async function repeat(count, workers, work) {
  let left = Math.round(count);
  const worker = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

function heldBy(daemon) {
  return heldAfterCollection(/ws:\S+/.exec(daemon.errors())[0]);
}

function MiB(bytes) {
  return (bytes / 2 ** 20).toFixed(1);
}

function residentBytes(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

function modernCaller({ url, token }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
  const headers = {
    Accept: 'application/json, text/event-stream',
    Authorization: `Bearer ${token}`,
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': 'tools/call',
    'Mcp-Name': 'list_tasks',
  };
  let id = 0;
  return async () => {
    const params = { name: 'list_tasks', arguments: {}, _meta: meta };
    const { status, body } = await post(
      `${url}/mcp`,
      { jsonrpc: '2.0', id: ++id, method: 'tools/call', params },
      agent,
      headers,
    );
    if (status !== 200) throw new Error(`${status} ${body}`);
  };
}

/** A client that goes without a word. */
async function dropSession({ url, token }) {
  const agent = new http.Agent();
  const headers = { Accept: 'application/json, text/event-stream', Authorization: `Bearer ${token}` };
  await post(`${url}/mcp`, { jsonrpc: '2.0', id: 0, method: 'initialize', params: hello }, agent, headers);
  agent.destroy();
}

/** Calls until the upstream was started once more: what comes while it is down is refused, and counts for nothing. */
async function restart(client, starts) {
  const before = statSync(starts).size;
  while (statSync(starts).size === before) {
    // Whatever comes while it is down is refused; a session that is gone would be refused for ever.
    await client.call('crash').catch((error) => {
      if (!String(error).includes('refused')) throw error;
    });
    await setTimeout(1);
  }
}

import path from 'node:path';
import { openHttp, startDaemon } from '../http-client.mjs';
import { installPeers, peers, startPeer } from '../peers.mjs';
import { configure, makeProject } from '../project.mjs';
import { openSse } from '../sse-client.mjs';
import { interleave, summarize, timed } from '../statistics.mjs';
import { closeAll } from '../worker-client.mjs';

const ways = 16;
const bare = 'bare forwarding';
const gateway = path.join(import.meta.dirname, '../fixtures/gateway.mjs');
const input = { note: 'there and back again', n: 1 };

/** The same call over HTTP to the same stdio upstream, through the daemon and through each peer, in one run. */
export const proxiedHttp = {
  name: 'proxied-http',
  prepare: installPeers,
  async run({ product, quick }) {
    const project = makeProject();
    const place = { cwd: project.root, env: project.env };
    const upstream = (name) => [process.execPath, product.floor, 'stdio', path.join(project.root, `${name}.db`)];
    configure(project, product, JSON.stringify({ upstreams: { floor: { command: upstream('sekisho') } } }));
    const daemon = await startDaemon([product.bin, 'up', '--port', '0', '--json'], place);
    const gateways = {
      sekisho: { daemon, open: openHttp, tool: 'trivial' },
      [bare]: { daemon: await startDaemon([gateway, ...upstream('bare')], place), open: openHttp, tool: 'trivial' },
    };
    for (const peer of peers)
      gateways[peer.name] = {
        daemon: await startPeer(peer, upstream(peer.name.split(' ')[0]), place),
        open: peer.transport === 'sse' ? openSse : openHttp,
        tool: peer.tool?.('trivial') ?? 'trivial',
      };
    const callers = {};
    for (const [name, { daemon: at, open, tool }] of Object.entries(gateways)) {
      const client = await ready(() => open(at, { maxSockets: ways }), tool);
      callers[name] = { client, call: () => client.call(tool, input) };
    }
    const rounds = quick ? 300 : 2000;
    const samples = await interleave(
      Object.fromEntries(Object.entries(callers).map(([name, { call }]) => [name, () => timed(call)])),
      { rounds, warmUp: 200 },
    );
    const throughput = await inParallel(callers, quick ? 3 : 9, quick ? 400 : 1000);
    await closeAll([
      ...Object.values(callers).map(({ client }) => client),
      ...Object.values(gateways).map((one) => one.daemon),
    ]);
    return rows(samples, throughput);
  },
};

function rows(samples, throughput) {
  const ours = summarize(samples.sekisho);
  const best = Math.min(...peers.map(({ name }) => summarize(samples[name]).p50));
  const fastest = Math.min(...peers.map(({ name }) => throughput.msPerCall[name]));
  const overall = [
    {
      what: 'proxied call over HTTP, against the best of the peers',
      ...ours,
      ratio: ours.p50 / best,
      bar: { ratio: 0.8 },
    },
    {
      what: `${ways} at once, against the best of the peers`,
      n: throughput.calls,
      p50: throughput.msPerCall.sekisho,
      ratio: throughput.msPerCall.sekisho / fastest,
      bar: { ratio: 0.6 },
    },
    {
      what: 'bare forwarding, against the best of the peers',
      ...summarize(samples[bare]),
      ratio: summarize(samples[bare]).p50 / best,
      note: 'no token, no policy, no journal: nobody gets below this',
    },
    {
      what: `${ways} at once, bare forwarding, against the best of the peers`,
      n: throughput.calls,
      p50: throughput.msPerCall[bare],
      ratio: throughput.msPerCall[bare] / fastest,
    },
  ];
  const compared = peers.flatMap(({ name }) => {
    const theirs = summarize(samples[name]);
    return [
      { what: `proxied call over HTTP, against ${name}`, ...ours, floor: { name, ...theirs }, bar: { ratio: 1 } },
      {
        what: `the same at p99, against ${name}`,
        ...ours,
        ratio: ours.p99 / theirs.p99,
        bar: { ratio: 1 },
        note: `${theirs.p99.toFixed(2)} ms there`,
      },
      {
        what: `${ways} at once, ms per call, against ${name}`,
        n: throughput.calls,
        p50: throughput.msPerCall.sekisho,
        floor: { name, p50: throughput.msPerCall[name], p90: throughput.msPerCall[name] },
        bar: { ratio: 1 },
        note: `${perSecond(throughput.msPerCall.sekisho)} against ${perSecond(throughput.msPerCall[name])} calls a second`,
      },
    ];
  });
  return [...compared, ...overall];
}

/** The median of several turns, taken in turn, so that a machine that slows down slows all of them. */
async function inParallel(callers, turns, calls) {
  const taken = await interleave(
    Object.fromEntries(
      Object.entries(callers).map(([name, { call }]) => [
        name,
        async () => {
          let left = calls;
          const worker = async () => {
            while (left > 0) {
              left -= 1;
              await call();
            }
          };
          return (await timed(() => Promise.all(Array.from({ length: ways }, worker)))) / calls;
        },
      ]),
    ),
    { rounds: turns, warmUp: 1 },
  );
  const msPerCall = Object.fromEntries(Object.entries(taken).map(([name, one]) => [name, summarize(one).p50]));
  return { calls: calls * turns, msPerCall };
}

/** Some gateways answer before their upstream does. */
async function ready(open, tool) {
  for (const until = Date.now() + 20_000; ;) {
    const client = await open();
    try {
      await client.call(tool, input);
      return client;
    } catch (error) {
      client.close();
      if (Date.now() > until) throw error;
    }
  }
}

function perSecond(msPerCall) {
  return Math.round(1000 / msPerCall);
}

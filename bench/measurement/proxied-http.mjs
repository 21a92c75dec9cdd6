import { closeAll } from '../clean-up.mjs';
import { floorCommand } from '../floor.mjs';
import { openHttp, startDaemon } from '../http-client.mjs';
import { peers, startPeer } from '../peers.mjs';
import { makeProject } from '../project.mjs';
import { openSse } from '../sse-client.mjs';
import { interleave, summarize, timed } from '../statistics.mjs';

const ways = 16;
const input = { note: 'there and back again', n: 1 };

/** The same call over HTTP to the same stdio upstream, through the daemon and through each peer, in a loop. */
export const proxiedHttp = {
  name: 'proxied-http',
  async run({ product, quick }) {
    const command = floorCommand('stdio');
    const upstreams = { echo: { command } };
    const project = makeProject(product, { configuration: { toolsets: ['gate', 'upstream'], upstreams } });
    const gateways = { sekisho: { server: await startDaemon(project), open: openHttp, tool: 'echo' } };
    for (const { name, transport, tool = 'echo', ...peer } of peers)
      gateways[name] = {
        server: await startPeer(peer, command, project),
        open: transport === 'sse' ? openSse : openHttp,
        tool,
      };
    const clients = [];
    const calls = {};
    for (const [name, { server, open, tool }] of Object.entries(gateways)) {
      const client = await openReady(() => open(server, { maxSockets: ways }), tool);
      clients.push(client);
      calls[name] = () => client.call(tool, input);
    }
    const oneByOne = await interleave(timings(calls, 1, 1), { rounds: quick ? 300 : 2000, warmUp: 200 });
    const atOnce = await interleave(timings(calls, 400, ways), { rounds: quick ? 5 : 15, warmUp: 1 });
    await closeAll([...clients, ...Object.values(gateways).map(({ server }) => server)]);
    return [
      compare('loop: proxied call over HTTP', oneByOne, 1),
      { ...compare(`loop: proxied calls over HTTP, ${ways} at once`, atOnce, 0.9), note: 'ms a call' },
    ];
  },
};

/** Of each gateway: milliseconds a call, where `count` calls are made in so many ways at once. */
function timings(calls, count, ways) {
  const timeOf = (call) => async () => {
    let left = count;
    const worker = async () => {
      while (left-- > 0) await call();
    };
    return (await timed(() => Promise.all(Array.from({ length: ways }, worker)))) / count;
  };
  return Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, timeOf(call)]));
}

function compare(what, samples, limit) {
  const { sekisho, ...others } = Object.fromEntries(
    Object.entries(samples).map(([name, taken]) => [name, { name, ...summarize(taken) }]),
  );
  const [best] = Object.values(others).toSorted((a, b) => a.p50 - b.p50);
  const { name: _, ...ours } = sekisho;
  return { what, ...ours, floor: best, bar: { ratio: limit } };
}

/** Some gateways answer before their upstream does. */
async function openReady(open, tool) {
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

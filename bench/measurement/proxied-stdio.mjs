import { closeAll } from '../clean-up.mjs';
import { floorCommand } from '../floor.mjs';
import { makeProject } from '../project.mjs';
import { interleave, summarize, timed } from '../statistics.mjs';
import { openStdio } from '../stdio-client.mjs';

/** The same call to the same upstream, directly and through `sekisho mcp`, in a loop. */
export const proxiedStdio = {
  name: 'proxied-stdio',
  async run({ product, quick }) {
    const upstreams = { echo: { command: floorCommand('stdio') } };
    const project = makeProject(product, { configuration: { toolsets: ['gate', 'upstream'], upstreams } });
    const direct = await openStdio(floorCommand('stdio'), project);
    const proxied = await openStdio(project.mcp, project);
    const input = { note: 'there and back again', n: 1 };
    const samples = await interleave(
      {
        direct: () => timed(() => direct.call('echo', input)),
        proxied: () => timed(() => proxied.call('echo', input)),
      },
      { rounds: quick ? 1000 : 5000, warmUp: 500 },
    );
    await closeAll([direct, proxied]);
    const floor = { name: 'direct call', ...summarize(samples.direct) };
    return [{ what: 'loop: proxied call over stdio', ...summarize(samples.proxied), floor, bar: { ratio: 2.5 } }];
  },
};

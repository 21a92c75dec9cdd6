import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { upstreamsPort } from '../ports.ts';
import { chooseUpstreams } from '../link/upstream.ts';
import { described, words } from '../words.ts';

export const listUpstreamTools = defineOperation({
  name: 'list_upstream_tools',
  toolsets: ['admin'],
  effect: 'read',
  summary: words('The tools of an upstream as last read, with their descriptions.'),
  example: '--upstream penpot',
  input: z.strictObject({ upstream: described(z.string(), 'Upstream name') }),
  output: z.object({ upstream: z.string(), tools: z.array(z.object({ name: z.string(), description: z.string() })) }),
  async run(context, { upstream: name }) {
    const upstreams = await upstreamsPort.of(context)();
    await upstreams.loaded();
    const [upstream] = chooseUpstreams(upstreams, name, context);
    return {
      upstream: name,
      tools: (upstream?.toolsOf(upstream.known) ?? []).map((tool) => ({
        name: String(tool['name']),
        description: typeof tool['description'] === 'string' ? tool['description'] : '',
      })),
    };
  },
});

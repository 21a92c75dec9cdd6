import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { chosen } from '../link/activate.ts';
import { upstreamsPort } from '../ports.ts';
import { told } from '../../kernel/text/described.ts';

export const listUpstreamTools = defineOperation({
  name: 'list_upstream_tools',
  toolsets: ['admin'],
  effect: 'read',
  summary: {
    en: 'The tools of an upstream as they were read last, with what it says of each.',
    ja: 'upstream のツールの一覧です。最後に読み取った内容と説明を示します。',
  },
  example: '--upstream penpot',
  input: z.strictObject({ upstream: told(z.string(), { en: 'Which upstream', ja: 'upstream の名前' }) }),
  output: z.object({
    upstream: z.string(),
    tools: z.array(z.object({ name: z.string(), description: z.string() })),
  }),
  async run(context, { upstream: name }) {
    const upstreams = await upstreamsPort.of(context)();
    await upstreams.loaded();
    const [upstream] = chosen(upstreams, name, context);
    return {
      upstream: name,
      tools: (upstream?.toolsOf(upstream.known) ?? []).map((tool) => ({
        name: String(tool['name']),
        description: typeof tool['description'] === 'string' ? tool['description'] : '',
      })),
    };
  },
});

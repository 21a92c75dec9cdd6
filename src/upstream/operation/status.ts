import * as z from 'zod';
import { upstreamsPort } from '../ports.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { clientOn } from '../link/activation.ts';
import { readStatus } from '../link/status.ts';
import { chooseUpstreams } from '../link/upstream.ts';
import { described, words } from '../words.ts';

export const status = defineOperation({
  name: 'upstream.status',
  toolsets: ['upstream'],
  effect: 'read',
  summary: words('Upstream MCP servers: address, connection state, reason if disconnected, and what they offer.'),
  example: '--check',
  input: z.strictObject({
    upstream: described(z.string().optional(), 'Only this upstream'),
    check: described(z.boolean().optional(), 'Connect to each now, without init or unlock, to check that it responds'),
  }),
  output: z.object({
    upstreams: z.array(
      z.object({
        upstream: z.string(),
        address: z.string(),
        gated: z.boolean(),
        skill: z.string().optional(),
        reconnect: z.enum(['manual', 'auto']),
        state: z.string(),
        cause: z.string().optional(),
        protocol: z.string().optional(),
        transport: z.string().optional(),
        server: z.string().optional(),
        reconnects: z.number(),
        tools: z.number(),
        left_out: z.array(z.object({ name: z.string(), reason: z.string() })),
        tools_read_at: z.string().optional(),
        servers: z.array(
          z.object({
            pid: z.number(),
            state: z.string(),
            cause: z.string().optional(),
            reconnects: z.number(),
            child_pid: z.number().optional(),
            since: z.string(),
          }),
        ),
      }),
    ),
  }),
  async run(context, input) {
    const upstreams = await upstreamsPort.of(context)();
    await upstreams.loaded();
    const wanted = input.upstream === undefined ? upstreams.list : chooseUpstreams(upstreams, input.upstream, context);
    if (input.check === true)
      await Promise.all(
        wanted.map(async (one) => {
          const client = clientOn(context);
          const { link, calls } = one.getConnection(client);
          if (await link.check()) return;
          await calls.attend(client.voice, () => link.open()).catch(() => undefined); // The link's state has the reason.
        }),
      );
    return { upstreams: await readStatus(context, wanted) };
  },
});

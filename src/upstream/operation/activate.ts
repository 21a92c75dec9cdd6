import * as z from 'zod';
import { upstreamsPort } from '../ports.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { isProblem } from '../../kernel/problem.ts';
import { type Activated, activate as activateOne, chooseUpstreams } from '../link/activate.ts';
import { problem } from '../problem.ts';
import { described, words } from '../words.ts';

export const activate = defineOperation({
  name: 'activate',
  toolsets: ['upstream'],
  effect: 'write',
  idempotent: true,
  summary: words(
    'Unlock the tools of an upstream MCP server: connects, initialises and checks it. Call it after loading the skill, and again when a tool says that its upstream is disconnected.',
  ),
  example: '--upstream penpot',
  input: z.strictObject({
    upstream: described(z.string().optional(), 'Upstream name; default: every gated upstream'),
    phrase: described(z.string().optional(), 'The phrase from the skill, if one is needed'),
  }),
  output: z.object({
    activated: z.literal(true),
    upstreams: z.array(
      z.object({
        upstream: z.string(),
        state: z.literal('connected'),
        connected_now: described(z.boolean(), 'A connection was made; if false, the existing one was checked'),
        initialized_now: described(z.boolean(), 'The init script was run'),
        unlocked_now: described(z.boolean(), 'It was locked for this client until now'),
        server: z.string(),
        tools: z.number(),
        instructions: described(z.string().optional(), 'Instructions from the upstream'),
      }),
    ),
  }),
  async run(context, input) {
    const upstreams = await upstreamsPort.of(context)();
    const outcomes = await Promise.all(
      chooseUpstreams(upstreams, input.upstream, context).map((one) =>
        activateOne(context, upstreams, one, input.phrase).catch((error: unknown) => {
          if (isProblem(error)) return error;
          throw error;
        }),
      ),
    );
    const failures = outcomes.filter(isProblem);
    const [first] = failures;
    const active = outcomes.filter((one): one is Activated => !isProblem(one));
    if (first === undefined) return { activated: true as const, upstreams: active };
    if (outcomes.length === 1) throw first;
    throw problem.UPSTREAM_ACTIVATION({ active: active.map((one) => one.upstream), failures });
  },
});

import * as z from 'zod';
import { messageOf } from '../../base/failure.ts';
import type { Context } from '../../kernel/context.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { type Problem, isProblem } from '../../kernel/problem.ts';
import { clientOn } from '../link/activation.ts';
import { InitFailed, ScriptUnreadable, addressOf } from '../link/link.ts';
import { type Upstream, chooseUpstreams } from '../link/upstream.ts';
import { upstreamsPort } from '../ports.ts';
import { problem } from '../problem.ts';
import type { Upstreams } from '../upstreams.ts';
import { reasonOf } from '../wire/message.ts';
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
    const active = outcomes.flatMap((one) => (isProblem(one) ? [] : [one]));
    if (first === undefined) return { activated: true as const, upstreams: active };
    if (outcomes.length === 1) throw first;
    throw problem.UPSTREAM_ACTIVATION({ active: active.map((one) => one.upstream), failures });
  },
});

/** Connects, initialises and unlocks an upstream. An existing connection is only checked. */
async function activateOne(context: Context, upstreams: Upstreams, upstream: Upstream, phrase: string | undefined) {
  const { settings, name } = upstream;
  const client = clientOn(context);
  const clientConnection = upstream.getConnection(client);
  const { link } = clientConnection;
  await upstreams.loaded();
  const unlocked = !settings.gated || (await upstreams.activations.has(client, name));
  if (!unlocked && settings.phrase !== undefined && phrase?.trim() !== settings.phrase.trim())
    throw problem.UPSTREAM_PHRASE({ upstream: name, skill: settings.skill, given: phrase !== undefined });
  const before = link.connection;
  const wasReady = link.ready;
  const alive = before !== undefined && wasReady && (await link.check());
  const connection = await clientConnection.calls
    .attend(client.voice, () => link.prepare())
    .catch((error: unknown) => {
      throw failureOf(upstream, error);
    });
  if (!unlocked) {
    await upstreams.activations.unlock(client, name);
    clientConnection.announce(connection);
  }
  const connectedNow = connection !== before;
  const { instructions, server } = connection.greeting;
  return {
    upstream: name,
    state: 'connected' as const,
    connected_now: connectedNow,
    initialized_now: !alive && settings.init !== undefined,
    unlocked_now: !unlocked,
    server: `${server.name} ${server.version}`.trim(),
    tools: upstream.toolsOf(clientConnection.known).length,
    // The long text is sent only for a new connection or unlock, not for a mere check.
    ...(instructions !== undefined && (connectedNow || !unlocked) && { instructions }),
  };
}

function failureOf({ name, settings }: Upstream, error: unknown): Problem {
  if (isProblem(error)) return error;
  const cause = messageOf(error);
  const { init } = settings;
  if (error instanceof InitFailed && init !== undefined)
    return problem.UPSTREAM_INIT_FAILED({ upstream: name, ...init, cause });
  if (error instanceof ScriptUnreadable && init !== undefined)
    return problem.UPSTREAM_INIT_SCRIPT({ upstream: name, script: init.script, cause });
  return problem.UPSTREAM_UNREACHABLE({ upstream: name, address: addressOf(settings), cause: reasonOf(error) });
}

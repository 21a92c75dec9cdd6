import type { Context } from '../../kernel/context.ts';
import { isProblem, Problem } from '../../kernel/problem.ts';
import { messageOf } from '../../base/failure.ts';
import { configurationNote } from '../../kernel/trust-note.ts';
import { clientOn } from './activation.ts';
import type { Upstreams } from '../upstreams.ts';
import { InitFailed, ScriptUnreadable, addressOf } from './link.ts';
import type { Upstream } from './upstream.ts';
import { problem } from '../problem.ts';
import { reasonOf } from '../wire/message.ts';

export interface Activated {
  readonly upstream: string;
  readonly state: 'connected';
  /** A connection was made for this call; otherwise the existing one was checked. */
  readonly connected_now: boolean;
  readonly initialized_now: boolean;
  readonly unlocked_now: boolean;
  readonly server: string;
  readonly tools: number;
  readonly instructions?: string;
}

/** Chooses the upstreams to activate. Without a name these are the gated ones, or all if none is gated. */
export function chooseUpstreams(
  { list }: Upstreams,
  name: string | undefined,
  { project }: Pick<Context, 'project'>,
): readonly Upstream[] {
  // Upstreams in a file that no person has trusted are off; the note explains why.
  const note = configurationNote(project.configuration);
  if (list.length === 0) throw problem.UPSTREAM_NONE({ note });
  if (name !== undefined) {
    const found = list.find((one) => one.name === name);
    if (found === undefined)
      throw problem.UPSTREAM_UNKNOWN({ upstream: name, known: list.map((one) => one.name), note });
    return [found];
  }
  const gated = list.filter((one) => one.settings.gated);
  return gated.length > 0 ? gated : list;
}

/** Connects, initialises and unlocks an upstream. An existing connection is only checked. */
export async function activate(
  context: Context,
  upstreams: Upstreams,
  upstream: Upstream,
  phrase: string | undefined,
): Promise<Activated> {
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
    state: 'connected',
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

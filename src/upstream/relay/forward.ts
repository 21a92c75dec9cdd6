import type { Plain } from '../../kernel/plain.ts';
import type { Wire } from '../../kernel/relay.ts';
import { messageOf } from '../../kernel/failure.ts';
import type { Activations } from '../link/activation.ts';
import type { Call } from './calls.ts';
import type { Connection } from '../wire/connection.ts';
import type { Ledger, Outcome } from './ledger.ts';
import { InitFailed } from '../link/link.ts';
import { Lost, UpstreamError } from '../wire/message.ts';
import type { Answer } from '../wire/peer.ts';
import { forwardedMeta, paramHeaders } from '../wire/param-headers.ts';
import { isRepeatable } from '../link/tool.ts';
import type { Upstream } from '../link/upstream.ts';
import { clientCapabilities } from '../link/upstream.ts';
import { phrase } from '../problem.ts';

export interface Forwarding {
  readonly activations: Activations;
  readonly ledger: Ledger;
  /** There are others: a message says which one is meant. */
  readonly several: boolean;
}

export interface ToolCall {
  readonly upstream: Upstream;
  /** The upstream's own name of it. */
  readonly name: string;
  readonly tool: Plain | undefined;
  readonly params: Plain;
  readonly wire: Wire;
}

const maxAttempts = 3;

/** A tool call on its way: the gate, the connection, the call itself, and what is said where one of them fails. */
export async function forwardTool(call: ToolCall, by: Forwarding): Promise<Plain> {
  const { upstream, wire, params } = call;
  const { settings, name } = upstream;
  const { context } = wire;
  const startedAt = performance.now();
  const close = (outcome: Outcome, answer?: Answer) => {
    const tookMs = performance.now() - startedAt;
    // Behind the answer, not before it.
    setImmediate(() => record(outcome, tookMs, answer));
  };
  const record = (outcome: Outcome, tookMs: number, answer?: Answer) => {
    const content =
      settings.journal === 'content'
        ? { arguments: params['arguments'] ?? {}, result: answer?.result ?? null }
        : undefined;
    const unlocked = settings.gated && outcome !== 'locked';
    by.ledger.add(
      context,
      { upstream: name, tool: call.name, outcome, tookMs, bytes: answer?.bytes, result: answer?.result, content },
      unlocked ? by.activations.renew(wire, name) : undefined,
    );
  };
  if (settings.gated && !(await by.activations.has(wire, name))) {
    close('locked');
    const { skill } = settings;
    return refuse(
      context.say(phrase.locked({ upstream: name, skill, quotes: settings.phrase !== undefined, several: by.several })),
    );
  }
  const resumed = upstream.calls.resume(wire, params);
  if (resumed !== undefined) return resumed;
  return upstream.calls.run(wire, async (running) => {
    try {
      const answer = await attempt(call, running);
      close(answer.result['isError'] === true ? 'tool_error' : 'ok', answer);
      return withoutEra(answer.result);
    } catch (error) {
      if (error instanceof Refused) {
        close(error.outcome);
        return refuse(explain(error, call, by));
      }
      close(error instanceof UpstreamError ? 'error' : 'cancelled');
      throw error;
    }
  });
}

/** The call did not reach the upstream, or its answer did not reach us. */
class Refused extends Error {
  readonly outcome: 'disconnected' | 'interrupted';
  readonly init: boolean;

  constructor(cause: string, outcome: Refused['outcome'], init = false) {
    super(cause);
    this.outcome = outcome;
    this.init = init;
  }
}

function explain({ message: cause, outcome, init }: Refused, call: ToolCall, by: Forwarding): string {
  const { upstream, wire } = call;
  const { name, settings, link } = upstream;
  const { say } = wire.context;
  const manual = settings.reconnect === 'manual';
  if (outcome === 'interrupted') return say(phrase.interrupted({ upstream: name, tool: call.name, cause, manual }));
  if (manual) return say(phrase.disconnected({ upstream: name, cause, several: by.several }));
  if (init) return say(phrase.init({ upstream: name, cause }));
  return say(phrase.unreachable({ upstream: name, address: link.address, cause }));
}

/** What was never sent is sent again; what may have run is not, unless its tool says that this does no harm. */
async function attempt(call: ToolCall, running: Call): Promise<Answer> {
  const { upstream } = call;
  for (let tries = 1; ; tries++) {
    const connection = await reach(call, running);
    try {
      return await send(call, running, connection);
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      // Who refuses a session, or cannot be reached, is gone; a broken stream alone proves nothing.
      if (!error.sent || [400, 404].includes(error.status ?? 0)) await upstream.link.drop(connection, error.message);
      else await upstream.link.check();
      const repeatable = !error.sent || isRepeatable(call.tool);
      if (upstream.settings.reconnect === 'auto' && repeatable && !error.final && tries < maxAttempts) continue;
      throw new Refused(error.message, error.sent ? 'interrupted' : 'disconnected');
    }
  }
}

async function reach({ upstream: { link, settings }, wire }: ToolCall, running: Call): Promise<Connection> {
  if (link.connection !== undefined && link.ready) return link.connection;
  if (settings.reconnect === 'manual') throw new Refused(link.cause ?? 'it is not connected', 'disconnected');
  try {
    return await link.await(clientCapabilities(wire.capabilities), running.signal);
  } catch (error) {
    if (running.signal.aborted) throw error;
    throw new Refused(messageOf(error), 'disconnected', error instanceof InitFailed);
  }
}

async function send(call: ToolCall, running: Call, { peer, greeting, via }: Connection): Promise<Answer> {
  const { params, tool } = call;
  const { _meta: given, ...rest } = params;
  const meta = forwardedMeta(given as Plain | undefined);
  const report = progressTo(running);
  const headers =
    greeting.era === 'modern' && via !== 'stdio' ? paramHeaders(tool?.['inputSchema'], params['arguments']) : undefined;
  const answer = await peer.request(
    'tools/call',
    { ...rest, name: call.name, ...(meta !== undefined && { _meta: meta }) },
    { signal: running.signal, ...report.options, ...(headers !== undefined && { headers }) },
  );
  await report.delivered();
  return answer;
}

/** Progress under the client's own token; the answer does not overtake it. */
export function progressTo(running: Call): {
  readonly options: { readonly onProgress?: (params: Plain) => void };
  delivered(): Promise<void>;
} {
  let tail: Promise<void> | undefined;
  const token = running.wire.meta?.['progressToken'];
  const onProgress = (params: Plain) => {
    const sent = running.wire.notify('notifications/progress', { ...params, progressToken: token });
    tail = Promise.all([tail, sent]).then(
      () => undefined,
      () => undefined, // Whoever wanted to know has gone.
    );
  };
  return { options: token === undefined ? {} : { onProgress }, delivered: async () => tail };
}

/** `resultType` belongs to the connection on which it came; our own says it anew. */
export function withoutEra(result: Plain): Plain {
  if (result['resultType'] !== 'complete') return result;
  const { resultType: _, ...rest } = result;
  return rest;
}

function refuse(text: string): Plain {
  return { content: [{ type: 'text', text }], isError: true };
}

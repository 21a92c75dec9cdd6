import type { JsonObject } from '../../base/json-object.ts';
import type { Once } from '../../base/once.ts';
import type { Wire } from '../../kernel/relay.ts';
import { type Reason, inLang } from '../../kernel/text/text.ts';
import type { Activations } from '../link/activation.ts';
import type { Call } from './calls.ts';
import type { Connection } from '../wire/connection.ts';
import type { Ledger, Outcome } from './ledger.ts';
import type { Naming } from './naming.ts';
import type { ClientConnection } from '../link/client-connection.ts';
import { InitFailed, ScriptUnreadable, type UpstreamLink, addressOf } from '../link/link.ts';
import { causes } from '../wire/cause.ts';
import { Lost, UpstreamError, reasonOf } from '../wire/message.ts';
import type { PeerAnswer } from '../wire/peer.ts';
import { paramHeaders } from '../wire/param-headers.ts';
import { isRepeatable } from '../link/tool.ts';
import type { Upstream } from '../link/upstream.ts';
import { addressesAsked, resultFor } from './mapping.ts';
import { phrase } from '../problem.ts';
import { sendRequest } from './send.ts';

export interface RelayParts {
  readonly upstreams: readonly Upstream[];
  readonly naming: Naming;
  readonly activations: Activations;
  readonly ledger: Ledger;
  /** Resolves when the stored tool lists are loaded. */
  readonly loaded: Once<true>;
  /** There are several upstreams, so a message must name the one it means. */
  readonly several: boolean;
}

export interface ToolCall {
  readonly upstream: Upstream;
  /** The upstream's own name for the tool. */
  readonly name: string;
  readonly tool: JsonObject | undefined;
  readonly params: JsonObject;
  readonly wire: Wire;
}

const maxAttempts = 3;

/** Forwards a tool call: checks the gate, connects, sends the call, and explains a failure of any of these. */
export async function forwardTool(call: ToolCall, by: RelayParts): Promise<JsonObject> {
  const { upstream, wire, params } = call;
  const { settings, name } = upstream;
  const { context } = wire;
  const startedAt = performance.now();
  const close = (outcome: Outcome, answer?: PeerAnswer) => {
    const tookMs = performance.now() - startedAt;
    // Recorded after the answer is sent, so that the client does not wait for it.
    setImmediate(() => record(outcome, tookMs, answer));
  };
  const record = (outcome: Outcome, tookMs: number, answer?: PeerAnswer) => {
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
  const clientConnection = upstream.getConnection(wire);
  const resumed = clientConnection.calls.resume(wire, params);
  if (resumed !== undefined) return resumed;
  return clientConnection.calls.run(wire, async (running) => {
    try {
      const answer = await attempt(call, clientConnection, running);
      close(answer.result['isError'] === true ? 'tool_error' : 'ok', answer);
      return resultFor(wire.era, answer.result);
    } catch (error) {
      if (error instanceof Refused) {
        close(error.outcome);
        return refuse(explain(error, call, by));
      }
      close(error instanceof UpstreamError ? 'error' : 'cancelled');
      const asked = addressesAsked(wire.era, error);
      if (asked !== undefined) return asked;
      throw error;
    }
  });
}

/** The call did not reach the upstream, or its answer did not reach us. */
class Refused extends Error {
  readonly reason: Reason;
  readonly outcome: 'disconnected' | 'interrupted';
  /** The init script failed (`init`) or cannot be read (`script`). */
  readonly init: 'init' | 'script' | undefined;

  constructor(reason: Reason, outcome: Refused['outcome'], init?: Refused['init']) {
    super(inLang(reason, 'en'));
    this.reason = reason;
    this.outcome = outcome;
    this.init = init;
  }
}

function explain({ reason: cause, outcome, init }: Refused, call: ToolCall, by: RelayParts): string {
  const { upstream, wire } = call;
  const { name, settings } = upstream;
  const { say } = wire.context;
  const manual = settings.reconnect === 'manual';
  if (outcome === 'interrupted') return say(phrase.interrupted({ upstream: name, tool: call.name, cause, manual }));
  if (manual) return say(phrase.disconnected({ upstream: name, cause, several: by.several }));
  if (init !== undefined) return say(phrase[init]({ upstream: name, cause }));
  return say(phrase.unreachable({ upstream: name, address: addressOf(settings), cause }));
}

/** Sends a call. It is repeated if it was never sent, or if its tool is marked as safe to repeat. */
async function attempt(call: ToolCall, clientConnection: ClientConnection, running: Call): Promise<PeerAnswer> {
  const { upstream, name, tool } = call;
  const params = call.params['name'] === name ? call.params : { ...call.params, name };
  const { link } = clientConnection;
  for (let tries = 1; ; tries++) {
    const connection = await reach(link, running);
    const inHeaders = connection.greeting.era === 'modern' && connection.via !== 'stdio';
    const headers = inHeaders ? paramHeaders(tool?.['inputSchema'], params['arguments']) : undefined;
    try {
      return await sendRequest(clientConnection, connection, running, { method: 'tools/call', params, tool, headers });
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      // An upstream that rejects the session or cannot be reached is gone; a broken stream alone does not prove that.
      if (!error.sent || [400, 404].includes(error.status ?? 0)) await link.drop(connection, error.reason);
      else await link.check();
      const repeatable = !error.sent || isRepeatable(tool);
      if (upstream.settings.reconnect === 'auto' && repeatable && !error.final && tries < maxAttempts) continue;
      throw new Refused(error.reason, error.sent ? 'interrupted' : 'disconnected');
    }
  }
}

async function reach(link: UpstreamLink, running: Call): Promise<Connection> {
  if (link.connection !== undefined && link.ready) return link.connection;
  if (link.settings.reconnect === 'manual') throw new Refused(link.cause ?? causes.notConnected, 'disconnected');
  try {
    return await link.await(running.signal);
  } catch (error) {
    if (running.signal.aborted) throw error;
    const init = error instanceof InitFailed ? 'init' : error instanceof ScriptUnreadable ? 'script' : undefined;
    throw new Refused(reasonOf(error), 'disconnected', init);
  }
}

function refuse(text: string): JsonObject {
  return { content: [{ type: 'text', text }], isError: true };
}

import { pathToFileURL } from 'node:url';
import type { Plain } from '../../kernel/plain.ts';
import type { Wire } from '../../kernel/relay.ts';

interface Question {
  readonly key: string;
  readonly method: string;
  readonly params: Plain;
  settle(answer: Plain | Error): void;
}

/** A request that an upstream is working on for one of our clients. */
export interface Call {
  /** Where its client listens now: a call that was parked comes back on another request. */
  wire: Wire;
  readonly signal: AbortSignal;
}

interface ModernCall extends Call {
  readonly controller: AbortController;
  readonly questions: Question[];
  work: Promise<Plain> | undefined;
  wake: () => void;
}

const parkedMs = 10 * 60 * 1000;
const statePrefix = 'sekisho:';
const asked = ['sampling/createMessage', 'elicitation/create'];

/**
 * The calls that one upstream is working on, and the questions that it asks meanwhile. A client of the 2025 era is asked
 * over its connection. One of the 2026 era gets the question as its answer and comes again with what it was asked for;
 * the call waits for it here.
 */
export class Calls {
  readonly #running = new Set<Call>();
  readonly #parked = new Map<string, { call: ModernCall; timer: NodeJS.Timeout }>();
  #next = 1;

  /** Runs one call; `send` gets the signal that ends it. */
  async run(wire: Wire, send: (call: Call) => Promise<Plain>): Promise<Plain> {
    if (wire.era === 'legacy') {
      const call: Call = { wire, signal: wire.context.signal };
      this.#running.add(call);
      try {
        return await send(call);
      } finally {
        this.#running.delete(call);
      }
    }
    const controller = new AbortController();
    const call: ModernCall = {
      wire,
      signal: controller.signal,
      controller,
      questions: [],
      work: undefined,
      wake: () => undefined,
    };
    this.#running.add(call);
    call.work = send(call).finally(() => this.#running.delete(call));
    call.work.catch(() => undefined); // Nobody may be waiting for a parked call any more.
    return this.#await(call);
  }

  /** The call that was parked under this state goes on; undefined where the state is none of ours. */
  resume(wire: Wire, params: Plain): Promise<Plain> | undefined {
    const state = params['requestState'];
    if (typeof state !== 'string' || !state.startsWith(statePrefix)) return undefined;
    const parked = this.#parked.get(state);
    if (parked === undefined) return Promise.reject(new Error('This call is not waiting for an answer any more'));
    const { call, timer } = parked;
    clearTimeout(timer);
    this.#parked.delete(state);
    call.wire = wire;
    const answers = (params['inputResponses'] ?? {}) as Readonly<Record<string, Plain>>;
    for (const question of call.questions.splice(0))
      question.settle(answers[question.key] ?? new Error('The client did not answer'));
    return this.#await(call);
  }

  /** Something for whoever has a call running: a log message, for example. */
  tell(method: string, params: Plain): void {
    for (const { wire } of this.#running) wire.notify(method, params).catch(() => undefined); // It has gone.
  }

  /** A question of the upstream, to the client whose call it is working on. */
  async ask(method: string, params: Plain, root: string): Promise<Plain> {
    if (method === 'ping') return {};
    const call = this.#whose();
    if (method === 'roots/list') {
      // Asked outside of any call too; the project is what a client would name.
      if (call?.wire.era === 'legacy' && call.wire.capabilities['roots'] !== undefined)
        return call.wire.request(method, params);
      return { roots: [{ uri: pathToFileURL(root).href, name: 'project' }] };
    }
    if (!asked.includes(method)) throw failure(-32601, `Method not found: ${method}`);
    if (call === undefined) throw failure(-32603, 'There is no one client to ask: the question belongs to no call');
    if (call.wire.era === 'legacy') return call.wire.request(method, params);
    const waiting = call as ModernCall;
    return new Promise((resolve, reject) => {
      waiting.questions.push({
        key: `q${this.#next++}`,
        method,
        params,
        settle: (answer) => (answer instanceof Error ? reject(answer) : resolve(answer)),
      });
      waiting.wake();
    });
  }

  async #await(call: ModernCall): Promise<Plain> {
    const { signal } = call.wire.context;
    const stop = () => call.controller.abort(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      const question = new Promise<'asked'>((resolve) => {
        call.wake = () => resolve('asked');
        if (call.questions.length > 0) resolve('asked');
      });
      const outcome = await Promise.race([call.work ?? Promise.resolve({}), question]);
      return outcome === 'asked' ? this.#park(call) : outcome;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  #park(call: ModernCall): Plain {
    const state = `${statePrefix}${crypto.randomUUID()}`;
    const timer = setTimeout(() => {
      this.#parked.delete(state);
      call.controller.abort(new Error('the client did not come back with its answer'));
    }, parkedMs);
    timer.unref();
    this.#parked.set(state, { call, timer });
    return {
      resultType: 'input_required',
      inputRequests: Object.fromEntries(call.questions.map(({ key, method, params }) => [key, { method, params }])),
      requestState: state,
    };
  }

  /** The call that a question belongs to. Where several clients wait it could be anybody's, so it is nobody's. */
  #whose(): Call | undefined {
    const calls = [...this.#running];
    const last = calls.at(-1);
    return calls.every((one) => one.wire.connection === last?.wire.connection) ? last : undefined;
  }
}

function failure(code: number, message: string): Error {
  return Object.assign(new Error(message), { code });
}

import { RpcError, type Voice, rpc } from '../../kernel/exchange.ts';
import type { JsonObject } from '../../base/json-object.ts';
import type { Caller, Wire } from '../../kernel/relay.ts';

interface CallQuestion {
  readonly key: string;
  readonly method: string;
  readonly params: JsonObject;
  settle(answer: JsonObject | Error): void;
}

/** A client's request on which an upstream is working. */
export interface Call {
  /** The request on which the client currently waits: a parked call continues on another request. */
  wire: Wire;
  readonly signal: AbortSignal;
}

interface ModernCall extends Call {
  readonly abort: (reason: unknown) => void;
  readonly questions: CallQuestion[];
  work: Promise<JsonObject> | undefined;
  wake: () => void;
}

interface Parked {
  readonly call: ModernCall;
  /** The questions that the client got; others may have been added since. */
  readonly asked: readonly CallQuestion[];
  readonly timer: NodeJS.Timeout;
}

const parkedMs = 10 * 60 * 1000;
const statePrefix = 'sekisho:';

/** One client's calls to one upstream. A question to a 2026-era client is its result; the call waits here, parked. */
export class Calls {
  readonly #running = new Set<Call>();
  /** Other requests of a 2025-era client that wait for the upstream. */
  readonly #attending = new Set<Voice>();
  readonly #parked = new Map<string, Parked>();
  #standing: () => Voice | undefined = () => undefined;
  #next = 1;

  get idle(): boolean {
    return this.#running.size + this.#attending.size + this.#parked.size === 0;
  }

  /** Sets the channel to the client outside its requests. */
  updateClient({ standing }: Pick<Caller, 'standing'>): void {
    this.#standing = standing;
  }

  /** Lets the upstream ask the client over this request while `work` runs. */
  async attend<T>(voice: Voice | undefined, work: () => Promise<T>): Promise<T> {
    if (voice === undefined) return work();
    this.#attending.add(voice);
    try {
      return await work();
    } finally {
      this.#attending.delete(voice);
    }
  }

  /** Runs one call; `send` gets the signal that cancels it. */
  async run(wire: Wire, send: (call: Call) => Promise<JsonObject>): Promise<JsonObject> {
    if (wire.era === 'legacy') {
      const call: Call = { wire, signal: wire.signal };
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
      abort: (reason) => controller.abort(reason),
      questions: [],
      work: undefined,
      wake: () => undefined,
    };
    this.#running.add(call);
    call.work = send(call).finally(() => this.#running.delete(call));
    call.work.catch(() => undefined); // A parked call may have no waiter any more.
    return this.#await(call);
  }

  /** Resumes the call that was parked under this state; undefined if the state is not ours. */
  resume(wire: Wire, params: JsonObject): Promise<JsonObject> | undefined {
    const state = params['requestState'];
    if (typeof state !== 'string' || !state.startsWith(statePrefix)) return undefined;
    const parked = this.#parked.get(state);
    if (parked === undefined) return Promise.reject(new Error('This call is not waiting for an answer any more'));
    const { call, asked, timer } = parked;
    clearTimeout(timer);
    this.#parked.delete(state);
    call.wire = wire;
    const answers = (params['inputResponses'] ?? {}) as Readonly<Record<string, JsonObject>>;
    const open = new Set(call.questions.splice(0));
    for (const question of asked)
      if (open.delete(question)) question.settle(answers[question.key] ?? new Error('The client did not answer'));
    call.questions.push(...open);
    return this.#await(call);
  }

  /** Sends the client a notification that belongs to no call, such as a log message. */
  tell(method: string, params: JsonObject): void {
    const running = [...this.#running];
    const modern = running.filter(({ wire }) => wire.era === 'modern').map(({ wire }) => wire);
    // Each 2026-era request states for itself which notifications it wants.
    const voices = modern.length > 0 ? modern : [this.#voice() ?? []].flat();
    for (const voice of voices) voice.notify(method, params).catch(() => undefined); // The client has disconnected.
  }

  get canAsk(): boolean {
    return this.#voice() !== undefined || this.#running.size > 0;
  }

  async ask(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const last = [...this.#running].at(-1);
    if (last?.wire.era === 'modern') return this.#askInAnswer(last as ModernCall, method, params, signal);
    const voice = this.#voice();
    if (voice === undefined) throw new RpcError(rpc.internal, 'The client that this belongs to cannot be asked now');
    return voice.request(method, params, signal);
  }

  #askInAnswer(call: ModernCall, method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      const question: CallQuestion = {
        key: `q${this.#next++}`,
        method,
        params,
        settle: (answer) => (answer instanceof Error ? reject(answer) : resolve(answer)),
      };
      call.questions.push(question);
      signal.addEventListener('abort', () => {
        const at = call.questions.indexOf(question);
        if (at >= 0) call.questions.splice(at, 1);
        reject(new Error('the upstream does not ask this any more'));
      });
      call.wake();
    });
  }

  /** The channel to a 2025-era client: a request that it waits for, else its standing channel. */
  #voice(): Voice | undefined {
    const legacy = [...this.#running].filter(({ wire }) => wire.era === 'legacy');
    return legacy.at(-1)?.wire ?? [...this.#attending].at(-1) ?? this.#standing();
  }

  async #await(call: ModernCall): Promise<JsonObject> {
    const asked = call.wire.signal;
    const stop = () => call.abort(asked.reason);
    if (asked.aborted) stop();
    asked.addEventListener('abort', stop);
    try {
      const question = new Promise<'asked'>((resolve) => {
        call.wake = () => resolve('asked');
        if (call.questions.length > 0) resolve('asked');
      });
      const outcome = await Promise.race([call.work ?? Promise.resolve({}), question]);
      return outcome === 'asked' ? this.#park(call) : outcome;
    } finally {
      asked.removeEventListener('abort', stop);
    }
  }

  #park(call: ModernCall): JsonObject {
    const state = `${statePrefix}${crypto.randomUUID()}`;
    const timer = setTimeout(() => {
      this.#parked.delete(state);
      call.abort(new Error('the client did not come back with its answer'));
    }, parkedMs);
    timer.unref();
    const asked = [...call.questions];
    this.#parked.set(state, { call, asked, timer });
    return {
      resultType: 'input_required',
      inputRequests: Object.fromEntries(asked.map(({ key, method, params }) => [key, { method, params }])),
      requestState: state,
    };
  }
}

import type { Operations } from './operations.ts';

export type { Operations };

/** The name of an operation. */
export type OperationName = keyof Operations;

export interface ClientOptions {
  /** The daemon's address, such as `http://127.0.0.1:9696`. */
  readonly url: string;
  /** A person's token: `sekisho token create`. */
  readonly token: string;
  /** The path of the project's root. Only `list_roots` works without it. */
  readonly project?: string;
  /** The language of messages; absent: the daemon's. */
  readonly lang?: 'en' | 'ja';
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** The question that a person would be asked before an operation, and the input that does exactly what it says. */
export interface Question<Input> {
  /** Null if there is nothing to ask. */
  readonly text: string | null;
  readonly input: Input;
}

/** `ready`: the stream is connected. `reset`: entries may be missing, so read your lists again. */
export type JournalEvent =
  | { readonly type: 'ready' | 'reset'; readonly id: string }
  | {
      readonly type: 'entry';
      /** Pass it as `after` to continue after this entry. */
      readonly id: string;
      readonly seq: number;
      readonly at: string;
      readonly actor: string;
      readonly subject: string;
      readonly kind: string;
    };

export interface Client {
  /** Runs an operation and resolves to its output. */
  call<N extends OperationName>(
    name: N,
    input: Operations[N]['input'],
    options?: CallOptions,
  ): Promise<Operations[N]['output']>;
  /** Returns the question that a person would be asked, without running the operation. */
  ask<N extends OperationName>(
    name: N,
    input: Operations[N]['input'],
    options?: CallOptions,
  ): Promise<Question<Operations[N]['input']>>;
  /** Follows the project's journal, from now on or after an event. It reconnects until the signal aborts. */
  follow(options?: CallOptions & { readonly after?: string }): AsyncGenerator<JournalEvent, void, undefined>;
}

/** A call that failed. `code` is stable; `message` is for people. */
export class SekishoError extends Error {
  override readonly name: string = 'SekishoError';
  readonly code: string;
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: string,
    message: string,
    status: number,
    details: Readonly<Record<string, unknown>> = {},
    cause?: unknown,
  ) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

/** Creates a client for every operation of a daemon over HTTP. */
export function createClient({ url, token, project, lang }: ClientOptions): Client {
  const address = (name: string, more: Readonly<Record<string, string>> = {}): URL => {
    const to = new URL(`${url.replace(/\/+$/, '')}/api/${name}`);
    for (const [key, value] of Object.entries({ ...(project !== undefined && { project }), ...more }))
      to.searchParams.set(key, value);
    return to;
  };
  const headers = { Authorization: `Bearer ${token}`, ...(lang !== undefined && { 'Accept-Language': lang }) };
  const post = async (to: URL, input: object, { signal }: CallOptions = {}): Promise<unknown> => {
    const response = await fetchResponse(to, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(input),
      ...(signal && { signal }),
    });
    return response.json();
  };
  return {
    call: (name, input, options) => post(address(String(name)), input, options) as Promise<never>,
    ask: (name, input, options) => post(address(String(name), { ask: '' }), input, options) as Promise<never>,
    async *follow({ signal, after } = {}) {
      const isOver = () => signal?.aborted === true;
      let last = after;
      let wasThere = false;
      for (let failures = 0; !isOver(); failures++) {
        if (failures > 0) await wait(Math.min(failures, 10) * 1000, signal);
        try {
          const response = await fetchResponse(address('stream'), {
            headers: { ...headers, ...(last !== undefined && { 'Last-Event-ID': last }) },
            ...(signal && { signal }),
          });
          for await (const event of readEvents(response)) {
            failures = 0;
            wasThere = true;
            last = event.id;
            yield event;
          }
        } catch (error) {
          if (isOver()) return;
          // The daemon may be restarting. A refusal, or a daemon that was never reachable, will not change.
          const isGone = !(error instanceof SekishoError) || error.status === 0 || error.status >= 500;
          if (!isGone || !wasThere) throw error;
        }
      }
    },
  };
}

/** Returns the response; throws a `SekishoError` if the call failed. */
async function fetchResponse(to: URL, init: RequestInit): Promise<Response> {
  const response = await fetch(to, init).catch((error: unknown) => {
    if (init.signal?.aborted === true) throw error;
    throw new SekishoError('UNREACHABLE', `${to.origin} does not answer: ${reasonOf(error)}`, 0, {}, error);
  });
  if (response.ok) return response;
  const { status, statusText } = response;
  const body = (await response.json().catch(() => ({}))) as Partial<Pick<SekishoError, 'code' | 'message' | 'details'>>;
  throw new SekishoError(body.code ?? `HTTP_${status}`, body.message ?? statusText, status, body.details);
}

/** Returns the reason from the cause; Node's own message is only "fetch failed". */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error ? cause.message || String((cause as { code?: unknown }).code) : String(error);
}

async function* readEvents(response: Response): AsyncGenerator<JournalEvent, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body ?? []) {
    const parts = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const { id, event, data } = fieldsOf(part);
      if (id === undefined) continue;
      if (event === 'ready' || event === 'reset') yield { type: event, id };
      else yield { type: 'entry', id, ...(JSON.parse(data ?? '{}') as EntryFields) };
    }
  }
}

type EntryFields = Omit<Extract<JournalEvent, { type: 'entry' }>, 'type' | 'id'>;

function fieldsOf(part: string): { readonly [name in 'id' | 'event' | 'data']?: string } {
  return Object.fromEntries(
    part.split('\n').flatMap((line) => {
      const at = line.indexOf(': ');
      return at > 0 ? [[line.slice(0, at), line.slice(at + 2)]] : [];
    }),
  );
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
  });
}

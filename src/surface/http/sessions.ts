import type { ServerResponse } from 'node:http';
import { rpc } from '../../kernel/exchange.ts';
import { type JsonObject, isJsonObject } from '../../base/json-object.ts';
import { type Principal, isSamePrincipal } from '../../kernel/principal.ts';
import { handshakeRevisions } from '../../protocol/revision.ts';
import { type Changes, messagesOf } from '../mcp/changes.ts';
import { isMessage, isRequest, maxBatch } from '../mcp/message.ts';
import { type Channel, Peer } from '../mcp/peer.ts';
import { type Served, createSession } from '../mcp/session.ts';
import { sendError } from './body.ts';
import type { Sender, Incoming } from './incoming.ts';
import { type EventLimits, EventLog } from './event-log.ts';
import { Stream, type StreamTimes, defaultTimes } from './stream.ts';

const idleSessionMs = 24 * 3600 * 1000;
const maxSessions = 1000;
/** MCP leaves these error codes to servers; the values are the SDK's. */
const badRequest = -32000;
const sessionUnknown = -32001;

export interface SessionOwner extends Sender {
  /** The toolsets and the project in the URL of the session. */
  readonly route: string;
}

/** The session of one client, opened by `initialize`. */
interface HttpSession {
  readonly id: string;
  readonly peer: Peer;
  /** The principal and the URL that opened the session. Only they can use it. */
  readonly owner: SessionOwner;
  readonly streams: Set<Stream>;
  /** The stream of the session's GET, for messages that belong to no request. */
  standalone: Stream | undefined;
  usedAt: number;
}

export interface SessionsOptions {
  readonly version: string;
  readonly times?: StreamTimes;
  readonly limits?: EventLimits;
  /** Reports an internal error. One message must not end the process that serves every session. */
  readonly onError: (error: Error) => void;
}

/** The sessions of 2025-era clients over HTTP. */
export class Sessions {
  readonly #version: string;
  /** What all streams share. */
  readonly #streams: { readonly log: EventLog<Stream>; readonly times: StreamTimes };
  readonly #onError: (error: Error) => void;
  readonly #sessions = new Map<string, HttpSession>();

  constructor({ version, times, limits, onError }: SessionsOptions) {
    this.#version = version;
    this.#streams = { log: new EventLog(limits), times: times ?? defaultTimes };
    this.#onError = onError;
  }

  handle(
    request: Incoming,
    response: ServerResponse,
    body: unknown,
    owner: SessionOwner,
    load: () => Promise<Served>,
  ): void {
    const { headers, method } = request;
    const id = headers['mcp-session-id'];
    const initializes = (Array.isArray(body) ? body : [body]).some(isInitialize);
    if (typeof id !== 'string') {
      if (initializes) return this.#open(request, response, body, owner, load);
      const advice = 'Bad Request: send initialize first, then the Mcp-Session-Id that it returned';
      return sendError(response, 400, badRequest, advice);
    }
    const session = this.#sessions.get(id);
    if (session === undefined || !isSameOwner(session.owner, owner))
      return sendError(response, 404, sessionUnknown, 'Session not found');
    if (initializes) return sendError(response, 400, rpc.invalidRequest, 'Invalid Request: Server already initialized');
    const version = headers['mcp-protocol-version'];
    if (version !== undefined && !handshakeRevisions.includes(String(version)))
      return sendError(response, 400, badRequest, `Bad Request: Unsupported protocol version: ${String(version)}`);
    session.usedAt = Date.now();
    if (method === 'POST') return void this.#post(session, request, response, body, owner);
    if (method === 'GET') return this.#listen(session, request, response, owner);
    this.#end(session);
    response.writeHead(200).end();
    return undefined;
  }

  get listen(): boolean {
    return [...this.#sessions.values()].some(({ standalone }) => standalone?.connected === true);
  }

  async tell(changes: Changes): Promise<void> {
    const sent = [...this.#sessions.values()].map(async ({ peer, standalone }) => {
      const messages = messagesOf(changes, peer.session.subscribed);
      if (messages.length === 0) return;
      await standalone?.leaveIfOut();
      for (const message of messages) standalone?.send(message);
    });
    await Promise.all(sent);
  }

  /** Ends the sessions of a principal that can no longer authenticate. */
  end(principal: Principal): void {
    for (const session of this.#sessions.values())
      if (isSamePrincipal(session.owner.principal, principal)) this.#end(session);
  }

  close(): void {
    for (const session of this.#sessions.values()) this.#end(session);
  }

  #open(
    request: Incoming,
    response: ServerResponse,
    body: unknown,
    owner: SessionOwner,
    load: () => Promise<Served>,
  ): void {
    if (Array.isArray(body)) {
      const fault = 'Invalid Request: Only one initialization request is allowed';
      return sendError(response, 400, rpc.invalidRequest, fault);
    }
    this.#makeRoom(owner.principal);
    // The daemon watches the changes of every project from its start, so the session has nothing to begin.
    const session = createSession(load, async () => undefined);
    const peer = new Peer(session, this.#version, () =>
      opened.standalone?.connected === true ? opened.standalone : undefined,
    );
    const opened: HttpSession = {
      id: session.id,
      peer,
      owner,
      streams: new Set(),
      standalone: undefined,
      usedAt: Date.now(),
    };
    if (this.#post(opened, request, response, body, owner)) this.#sessions.set(opened.id, opened);
    return undefined;
  }

  /** Returns whether the body was accepted. */
  #post(
    session: HttpSession,
    { headers }: Incoming,
    response: ServerResponse,
    body: unknown,
    { stillIn }: SessionOwner,
  ): boolean {
    const { peer, streams } = session;
    const messages = messagesIn(headers, response, body);
    if (messages === undefined) return false;
    const requests = messages.filter(isRequest);
    const others = messages.filter((one) => !isRequest(one));
    for (const message of others) peer.receive(message, nowhere).catch(this.#onError);
    if (requests.length === 0) {
      response.writeHead(202).end();
      return true;
    }
    const as = Array.isArray(body) ? 'events' : 'json';
    const primed = revisionOf(headers, requests) >= '2025-11-25';
    const stream = new Stream(response, { ...this.#streams, session: session.id, as, primed, stillIn });
    streams.add(stream);
    answerOn(stream, requests, peer)
      .catch(this.#onError)
      .finally(() => streams.delete(stream));
    return true;
  }

  #listen(session: HttpSession, { headers }: Incoming, response: ServerResponse, { stillIn }: SessionOwner): void {
    if (headers.accept?.includes('text/event-stream') !== true)
      return sendError(response, 406, badRequest, 'Not Acceptable: Client must accept text/event-stream');
    const last = headers['last-event-id'];
    const known = last === undefined ? session.standalone : this.#streams.log.streamOf(Number(last));
    if (last !== undefined && known?.session !== session.id)
      return sendError(response, 400, badRequest, 'Bad Request: the event is no longer available');
    if (known?.connected === true)
      return sendError(response, 409, badRequest, 'Conflict: this stream already has a connection');
    if (last !== undefined) return known?.resume(response, Number(last), stillIn);
    const options = { session: session.id, as: 'events', primed: false, stillIn } as const;
    session.standalone = new Stream(response, { ...this.#streams, ...options });
    return undefined;
  }

  #end(session: HttpSession): void {
    this.#sessions.delete(session.id);
    session.peer.close('the session has ended');
    for (const stream of session.streams) stream.end();
    session.standalone?.end();
  }

  /** Ends idle sessions, then the oldest of the identity that has the most: a greedy client loses its own. */
  #makeRoom(opener: Principal): void {
    const oldest = [...this.#sessions.values()].toSorted((a, b) => a.usedAt - b.usedAt);
    for (const one of oldest) if (Date.now() - one.usedAt >= idleSessionMs) this.#end(one);
    while (this.#sessions.size >= maxSessions) {
      const holder = this.#findLargestHolder(opener);
      const one = oldest.find(({ id, owner }) => this.#sessions.has(id) && holderOf(owner.principal) === holder);
      if (one === undefined) return;
      this.#end(one);
    }
  }

  #findLargestHolder(opener: Principal): string {
    const counts = new Map<string, number>();
    for (const { owner } of this.#sessions.values()) {
      const holder = holderOf(owner.principal);
      counts.set(holder, (counts.get(holder) ?? 0) + 1);
    }
    const most = Math.max(...counts.values());
    const own = holderOf(opener);
    if (counts.get(own) === most) return own;
    return [...counts].find(([, count]) => count === most)?.[0] ?? own;
  }
}

/** The key under which sessions are counted together. It leaves out the role, because one client may ask for several. */
function holderOf({ identity, person }: Principal): string {
  return JSON.stringify([identity, person]);
}

function isSameOwner(one: SessionOwner, other: SessionOwner): boolean {
  return one.route === other.route && isSamePrincipal(one.principal, other.principal);
}

/** Reads the messages of a POST. If it refuses them, it sends the reason and returns undefined. */
function messagesIn(
  { accept = '', 'content-type': type = '' }: Incoming['headers'],
  response: ServerResponse,
  body: unknown,
): readonly JsonObject[] | undefined {
  const refuse = (status: number, code: number, message: string): undefined => {
    sendError(response, status, code, message);
  };
  if (!accept.includes('application/json') || !accept.includes('text/event-stream'))
    return refuse(406, badRequest, 'Not Acceptable: Client must accept both application/json and text/event-stream');
  if (!/^application\/json\s*(;|$)/i.test(type))
    return refuse(415, badRequest, 'Unsupported Media Type: Content-Type must be application/json');
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  if (messages.length > maxBatch)
    return refuse(400, rpc.invalidRequest, `Invalid Request: Batch must not exceed ${maxBatch} messages`);
  if (messages.length === 0 || !messages.every(isMessage))
    return refuse(400, rpc.parseError, 'Parse error: Invalid JSON-RPC message');
  return messages;
}

const nowhere: Channel = { send: () => undefined };

/** Answers requests on a stream and ends the stream after the last one. A cancelled request has no answer. */
async function answerOn(stream: Stream, requests: readonly JsonObject[], peer: Peer): Promise<void> {
  let left = requests.length;
  const finish = (answer?: JsonObject) => {
    left -= 1;
    if (left === 0) stream.end(answer);
    else if (answer !== undefined) stream.send(answer);
  };
  const answered = requests.map(async (request) => {
    let done = false;
    const channel: Channel = {
      send(message) {
        if (message['method'] !== undefined) return stream.send(message);
        done = true;
        return finish(message);
      },
      lost: () => stream.lost(),
      detach: stream.primed ? () => stream.detach() : undefined,
    };
    await peer.receive(request, channel);
    if (!done) finish();
  });
  await Promise.all(answered);
}

/** The revision that a client speaks: on `initialize` the requested one, then the header's. Without a header it is 2025-03-26. */
function revisionOf(headers: Incoming['headers'], [first]: readonly JsonObject[]): string {
  const wanted = isInitialize(first) ? (first?.['params'] as JsonObject | undefined)?.['protocolVersion'] : undefined;
  const given = wanted ?? headers['mcp-protocol-version'];
  return typeof given === 'string' ? given : '2025-03-26';
}

function isInitialize(message: unknown): boolean {
  return isJsonObject(message) && message['method'] === 'initialize';
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Application } from '../../kernel/application.ts';
import type { Context, Log } from '../../kernel/context.ts';
import { asProblem, invoke, invalidTextProblem } from '../../kernel/invoke.ts';
import { tooLargeMessage } from '../../kernel/message-size.ts';
import type { Operation } from '../../kernel/operation.ts';
import { type JsonObject, isJsonObject } from '../../base/json-object.ts';
import type { Principal } from '../../kernel/principal.ts';
import { findInvalidText } from '../../kernel/json-limits.ts';
import type { Lang } from '../../kernel/text/text.ts';
import { type FailureBody, failureBody } from '../envelope.ts';
import { readBody, sendJson } from './body.ts';
import type { Cookies } from './cookie.ts';
import type { Incoming } from './incoming.ts';
import { streamJournal } from './journal-stream.ts';
import { problem, refusal } from './problem.ts';
import { webHeaders } from './web-headers.ts';

export interface BrowserSession {
  readonly id: string;
  readonly principal: Principal;
}

export interface Credentials {
  readonly cookie: string;
  readonly key: string;
}

/** The dashboard's login and the calls that concern no project. People are kept in the user's own state, not in a project's. */
export interface Door {
  signIn(code: string, browser: string): Promise<Credentials>;
  find(given: Credentials): Promise<BrowserSession | undefined>;
  readonly calls: Readonly<Record<string, UserCall>>;
}

export interface Caller {
  readonly principal: Principal;
  /** The browser session; undefined for a program with a token. */
  readonly session: string | undefined;
}

export type UserCall = (caller: Caller, input: JsonObject) => Promise<object>;

export interface ApiOptions {
  readonly log: Log;
  readonly lang: Lang;
  readonly maxMessageBytes: number;
  readonly door: Door;
  readonly cookies: Cookies;
  /** Looks up a program's token, as for every other endpoint. */
  readonly principalOf: (request: IncomingMessage, url: URL) => Promise<Principal | 'forbidden' | undefined>;
  readonly rootFor: (project: string) => Promise<Application | undefined>;
  readonly newId: (prefix: string) => string;
  /** Every operation; they are the same in each project. */
  readonly operations: () => Promise<readonly Operation[]>;
}

export type Api = (request: Incoming, response: ServerResponse, url: URL) => Promise<void>;

/** The HTTP API for people: `POST /api/<operation>`, `GET /api/stream` and `GET /api/openapi.json`. */
export function createApi(options: ApiOptions): Api {
  const answer = async (request: Incoming, response: ServerResponse, url: URL): Promise<Answered | undefined> => {
    const name = url.pathname.slice('/api/'.length);
    const lang = langOf(request, options.lang);
    refuseOtherSites(request);
    if (name === 'sign_in') return signIn(request, options);
    const caller = await callerOf(request, url, options);
    if (name === 'stream') {
      if (request.method !== 'GET') return methodNotAllowed('GET');
      const app = await rootOf(url, options);
      const stillIn = async () => (await callerOf(request, url, options).catch(() => undefined)) !== undefined;
      await streamJournal({ app, principal: caller.principal, request, response, stillIn });
      return undefined;
    }
    if (name === 'openapi.json') {
      if (request.method !== 'GET') return methodNotAllowed('GET');
      const { openApi } = await import('./openapi.ts');
      return { status: 200, body: openApi(await options.operations()) };
    }
    if (request.method !== 'POST') return methodNotAllowed('POST');
    const input = await readInput(request, options);
    const invalidText = findInvalidText(input);
    if (invalidText !== undefined) throw invalidTextProblem(invalidText, { say: (sentence) => sentence(lang) });
    const userCall = Object.hasOwn(options.door.calls, name) ? options.door.calls[name] : undefined;
    if (userCall !== undefined) {
      const body = await userCall(caller, input);
      return name === 'sign_out'
        ? { status: 200, body, headers: { 'Set-Cookie': options.cookies.spend(request) } }
        : { status: 200, body };
    }
    const app = await rootOf(url, options);
    const operation = (await app.catalog()).operations.find((one) => one.name === name);
    if (operation === undefined) throw problem.UNKNOWN_OPERATION({ name });
    // A read stops when its client disconnects; a change is always completed.
    const reading = operation.effect === 'read' ? { signal: untilClosed(response) } : {};
    const context = await app.context({ principal: caller.principal, lang, ...reading });
    return run(app, context, operation, input, url.searchParams.has('ask'));
  };

  return async (request, response, url) => {
    const lang = langOf(request, options.lang);
    try {
      const answered = await answer(request, response, url);
      if (answered !== undefined) sendAnswer(response, answered);
    } catch (error) {
      const found = asProblem(error, options, request.url?.split('?')[0] ?? '');
      if (response.headersSent) response.destroy();
      else sendAnswer(response, failed(failureBody(lang, found)));
    }
  };
}

async function run(
  app: Application,
  context: Context,
  operation: Operation,
  input: JsonObject,
  asks: boolean,
): Promise<Answered> {
  const parsed = asks ? operation.input.safeParse(input) : undefined;
  // Invalid input is refused by `invoke` below.
  if (parsed?.success === true) {
    const question = await operation.confirm?.(context, parsed.data);
    return { status: 200, body: { text: question?.text ?? null, input: question?.input ?? input } };
  }
  const given = await invoke(app, context, operation, input);
  if (given.ok) return { status: 200, body: given.output };
  return failed(failureBody(context.lang, given.problem, operation));
}

function untilClosed(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}

function failed(body: FailureBody): Answered {
  return { status: statusOf(body.code), body };
}

/** Refuses requests from pages of other origins, including other ports of this machine. Browsers send the header. */
function refuseOtherSites({ headers }: Incoming): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') throw refusal.site();
}

/** The person behind a request: by token, or by cookie and key. Any server on this machine could read the cookie alone. */
async function callerOf(request: Incoming, url: URL, { door, cookies, principalOf }: ApiOptions): Promise<Caller> {
  const cookie = cookies.read(request);
  const key = request.headers['sekisho-key'];
  const session = cookie === undefined || typeof key !== 'string' ? undefined : await door.find({ cookie, key });
  const principal = session?.principal ?? (await principalOf(request, url));
  if (principal === undefined) throw problem.SIGN_IN_NEEDED();
  if (principal === 'forbidden' || !principal.person) throw refusal.agent();
  return { principal, session: session?.id };
}

async function signIn(request: Incoming, options: ApiOptions): Promise<Answered> {
  if (request.method !== 'POST') return methodNotAllowed('POST');
  const { code } = await readInput(request, options);
  const browser = request.headers['user-agent'] ?? '';
  const { cookie, key } = await options.door.signIn(typeof code === 'string' ? code : '', browser);
  return { status: 200, body: { key }, headers: { 'Set-Cookie': options.cookies.make(request, cookie) } };
}

async function rootOf(url: URL, { rootFor }: ApiOptions): Promise<Application> {
  const project = url.searchParams.get('project');
  if (project === null || project === '') throw problem.ROOT_NEEDED();
  const app = await rootFor(project);
  if (app === undefined) throw problem.ROOT_NOT_FOUND({ project });
  return app;
}

async function readInput(request: Incoming, { maxMessageBytes }: ApiOptions): Promise<JsonObject> {
  // An HTML form of another page can send text, but not application/json.
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
    throw problem.BODY_INVALID({ reason: 'Content-Type must be application/json' });
  const read = await readBody(request, maxMessageBytes);
  if (read.excerpt !== undefined) throw problem.BODY_INVALID({ reason: tooLargeMessage(maxMessageBytes) });
  const body = read.json() ?? (read.isBlank() ? {} : undefined);
  if (!isJsonObject(body)) throw problem.BODY_INVALID({ reason: 'the body must be a JSON object' });
  return body;
}

function methodNotAllowed(allowed: string): Answered {
  return {
    status: 405,
    headers: { Allow: allowed },
    body: { code: 'METHOD_NOT_ALLOWED', message: `${allowed} only.` },
  };
}

function langOf({ headers }: Incoming, otherwise: Lang): Lang {
  const wanted = (headers['accept-language'] ?? '').split(',').map((one) => one.trim().slice(0, 2).toLowerCase());
  return wanted.find((one): one is Lang => one === 'en' || one === 'ja') ?? otherwise;
}

/** The challenge of every 401. Browsers do not prompt for a bearer token. */
export const bearerChallenge = 'Bearer realm="sekisho"';

interface Answered {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

function sendAnswer(response: ServerResponse, { status, body, headers }: Answered): void {
  const challenge = status === 401 ? { 'WWW-Authenticate': bearerChallenge } : {};
  sendJson(response, status, body, { ...webHeaders, 'Cache-Control': 'no-store', ...challenge, ...headers });
}

const statuses: Readonly<Record<string, number>> = {
  SIGN_IN_NEEDED: 401,
  LINK_SPENT: 401,
  FORBIDDEN: 403,
  UNKNOWN_OPERATION: 404,
  VALIDATION_ERROR: 400,
  INVALID_PAYLOAD: 400,
  BODY_INVALID: 400,
  ROOT_NEEDED: 400,
  BAD_CONFIGURATION: 400,
  INTERNAL_ERROR: 500,
  STORE_UNAVAILABLE: 503,
  STORE_FULL: 503,
  STORE_READ_ONLY: 503,
  STORE_REMOVED: 503,
};

/** The HTTP status of an error code. The default is 409: the request was valid, but refused in the present state. */
function statusOf(code: string): number {
  return statuses[code] ?? (code.endsWith('_NOT_FOUND') ? 404 : 409);
}

import type { ServerResponse } from 'node:http';
import { sendJson } from './body.ts';
import { webHeaders } from './web-headers.ts';

/** The challenge of every 401. Browsers do not prompt for a bearer token. */
export const bearerChallenge = 'Bearer realm="sekisho"';

export interface Answered {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export function answerOf(body: object): Answered {
  return { status: 200, body };
}

export function sendAnswer(response: ServerResponse, { status, body, headers }: Answered): void {
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
export function statusOf(code: string): number {
  return statuses[code] ?? (code.endsWith('_NOT_FOUND') ? 404 : 409);
}

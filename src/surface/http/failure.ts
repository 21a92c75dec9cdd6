import type { ServerResponse } from 'node:http';
import type { Log } from '../../kernel/context.ts';
import { rpc } from '../../kernel/exchange.ts';
import { stackOf } from '../../base/failure.ts';
import { isProblem } from '../../kernel/problem.ts';
import type { Lang } from '../../kernel/text/text.ts';
import { sendError, sendJson } from './body.ts';

export interface FailureOptions {
  readonly log: Log;
  readonly lang: Lang;
}

/** A stack without its quoted parts. They come from the request and may be secret. */
function removeQuotes(stack: string): string {
  return stack.replaceAll(/'[^'\n]*'|"[^"\n]*"|`[^`\n]*`/g, '…');
}

/** Answers a request whose handling threw. The log gets only the path, because a query may contain a token. */
export function answerFailure(
  response: ServerResponse,
  { log, lang }: FailureOptions,
  url: string | undefined,
  error: unknown,
): void {
  const [path] = (url ?? '').split(/[?#]/);
  if (isProblem(error)) log.warn('request refused', { path, code: error.code });
  else log.error('request failed', { path, stack: removeQuotes(stackOf(error)) });
  if (response.headersSent) response.destroy();
  else if (isProblem(error)) {
    const said = { code: rpc.internal, message: error.in(lang), data: { code: error.code } };
    sendJson(response, 503, { jsonrpc: '2.0', error: said, id: null });
  } else sendError(response, 500, rpc.internal, 'Internal error');
}

export function refuseMethod(response: ServerResponse, allowed: readonly string[]): void {
  response.setHeader('Allow', allowed.join(', '));
  sendError(response, 405, -32000, 'Method not allowed.');
}

import { createHmac } from 'node:crypto';
import type { Environment } from '../base/environment.ts';
import { type Message, formats } from './message.ts';
import type { Target } from './settings.ts';

export const patienceMs = 10_000;

/** Sends a message. Returns the reason of a failure, without the URL: that may be a secret. */
export async function sendMessage(
  target: Target,
  message: Message,
  env: Environment,
  signal: AbortSignal,
): Promise<string | undefined> {
  const url = typeof target.url === 'string' ? target.url : env[target.url.env];
  const secret = target.secret === undefined ? undefined : env[target.secret.env];
  if (url === undefined || url === '') return unset(target.url);
  if (target.secret !== undefined && (secret === undefined || secret === '')) return unset(target.secret);
  const { body, headers } = formats[target.type](message);
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: {
        'User-Agent': 'sekisho',
        'Sekisho-Delivery': message.id,
        ...headers,
        ...(secret !== undefined && proof(target, secret, body)),
      },
      // Redirects are not followed: the configuration names the only receiver.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
    });
    await response.body?.cancel();
    return response.ok ? undefined : `status ${response.status}`;
  } catch (error) {
    return reasonOf(error);
  }
}

function proof({ type }: Target, secret: string, body: string): Readonly<Record<string, string>> {
  return type === 'ntfy'
    ? { Authorization: `Bearer ${secret}` }
    : { 'Sekisho-Signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` };
}

function unset(given: Target['url']): string {
  return typeof given === 'string' ? 'no URL' : `the environment variable ${given.env} is not set`;
}

/** The reason without the message of the error, which can quote the URL. */
function reasonOf(error: unknown): string {
  const { name, cause } = error as { readonly name?: string; readonly cause?: { readonly code?: string } };
  return cause?.code ?? (name === 'TimeoutError' ? 'no answer in time' : 'the request failed');
}

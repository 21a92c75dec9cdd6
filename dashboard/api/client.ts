import { preferences } from '../app/preferences.ts';
import type { Asked, Input, Name, Output, UserName, UserOutput } from './operations.ts';

/** A failure of any operation. */
export class ApiFailure extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

const keyName = 'sekisho-key';

/** The second secret beside the cookie. Local storage is readable only by pages of this host and port. */
export const sessionKey = {
  read: (): string | null => localStorage.getItem(keyName),
  keep: (key: string): void => localStorage.setItem(keyName, key),
  forget: (): void => localStorage.removeItem(keyName),
};

export function apiHeaders(): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'Accept-Language': preferences.get().lang,
    'Sekisho-Key': sessionKey.read() ?? '',
  };
}

async function post<T>(path: string, body: object, signal?: AbortSignal): Promise<T> {
  const response = await fetch(`/api/${path}`, {
    method: 'POST',
    headers: apiHeaders(),
    body: JSON.stringify(body),
    ...(signal !== undefined && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new ApiFailure(0, 'UNREACHABLE', '');
  });
  const answer: unknown = await response.json().catch(() => ({}));
  if (response.ok) return answer as T;
  const { code = String(response.status), message = response.statusText, details } = answer as Partial<ApiFailure>;
  throw new ApiFailure(response.status, code, message, details);
}

function address(name: string, project: string): string {
  return `${name}?project=${encodeURIComponent(project)}`;
}

export function call<N extends Name>(
  project: string,
  name: N,
  input: Input<N>,
  signal?: AbortSignal,
): Promise<Output<N>> {
  return post(address(name, project), input, signal);
}

/** Asks what a person would confirm with this call. It runs nothing. */
export function ask<N extends Name>(project: string, name: N, input: Input<N>): Promise<Asked<N>> {
  return post(`${address(name, project)}&ask`, input);
}

export function callUser<N extends UserName>(name: N, input: object = {}): Promise<UserOutput<N>> {
  return post(name, input);
}

export async function signIn(code: string): Promise<void> {
  const { key } = await post<{ key: string }>('sign_in', { code });
  sessionKey.keep(key);
}

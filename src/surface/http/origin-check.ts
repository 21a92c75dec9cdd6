import type { IncomingMessage } from 'node:http';

export interface OwnHosts {
  /** The accepted values of `Host` for a request to this port. */
  readonly hosts: (port: number | undefined) => readonly string[];
  /** The URL of a reverse proxy that terminates TLS. */
  readonly publicUrl: string | undefined;
}

export function createNames(hostnames: readonly string[], publicUrl: string | undefined): OwnHosts {
  return {
    publicUrl,
    // Browsers omit port 80.
    hosts: (port) => hostnames.flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])]),
  };
}

/** The URL of a request; undefined if it cannot be parsed. */
export function urlOf({ url = '/' }: IncomingMessage): URL | undefined {
  try {
    return new URL(url, 'http://localhost');
  } catch {
    return undefined;
  }
}

/**
 * Checks Host and Origin, and returns what is wrong. A page of another site can reach this machine by DNS rebinding (the
 * Host is not ours) or by a plain cross-origin request (the Origin is not ours). Only browsers send an Origin.
 */
export function originProblem(request: IncomingMessage, { hosts, publicUrl }: OwnHosts): string | undefined {
  const { host = '', origin, 'x-forwarded-proto': proto } = request.headers;
  const { localPort } = request.socket;
  const throughProxy = isPublic(request, publicUrl);
  const ours = hosts(localPort);
  // With several Host headers we would use the first one, and a proxy perhaps the last.
  if (hostsIn(request) > 1 || !(throughProxy || ours.includes(host.toLowerCase()))) return `Invalid Host: ${host}`;
  // Compared as text, as browsers write it. No other spelling is accepted.
  const isOurs = (one: string) => (throughProxy ? one === publicUrl : ours.some((name) => one === `http://${name}`));
  if (origin !== undefined && !isOurs(origin)) return `Invalid Origin: ${origin}`;
  // Over plain HTTP, others could have read the token, or could read the cookie that we set.
  if (throughProxy && proto !== 'https') return `Invalid X-Forwarded-Proto: ${String(proto)}`;
  return undefined;
}

function hostsIn({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') count += 1;
  return count;
}

/** Whether the request is addressed to the public URL, which only the reverse proxy has. */
export function isPublic({ headers }: IncomingMessage, publicUrl: string | undefined): boolean {
  return publicUrl !== undefined && publicUrl === `https://${headers.host?.toLowerCase()}`;
}

/** Whether the request is addressed to this machine itself, so that no one in between can read its cookie. */
export function isLoopback({ headers }: IncomingMessage): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(headers.host ?? '');
}

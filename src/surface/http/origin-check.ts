import type { IncomingMessage } from 'node:http';

/** What the daemon is called. */
export interface OwnHosts {
  /** As `Host` has them, at the port that a request came to. */
  readonly hosts: (port: number | undefined) => readonly string[];
  /** Where a proxy speaks TLS for it. */
  readonly publicUrl: string | undefined;
}

export function createNames(hostnames: readonly string[], publicUrl: string | undefined): OwnHosts {
  return {
    publicUrl,
    // A browser leaves out the port of plain HTTP.
    hosts: (port) => hostnames.flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])]),
  };
}

/** Undefined where it is none. */
export function urlOf({ url = '/' }: IncomingMessage): URL | undefined {
  try {
    return new URL(url, 'http://localhost');
  } catch {
    return undefined;
  }
}

/**
 * What is wrong with where a request wants to go or comes from, if anything. A page of another site reaches this machine
 * by a name that leads here (its Host is not ours) or openly (its Origin is not ours); only browsers send an Origin.
 */
export function originProblem(request: IncomingMessage, { hosts, publicUrl }: OwnHosts): string | undefined {
  const { host = '', origin, 'x-forwarded-proto': proto } = request.headers;
  const { localPort } = request.socket;
  const throughProxy = isPublic(request, publicUrl);
  const ours = hosts(localPort);
  // Of several the first counts here, and perhaps the last for whoever stands in between.
  if (hostsIn(request) > 1 || !(throughProxy || ours.includes(host.toLowerCase()))) return `Invalid Host: ${host}`;
  // Letter by letter, as browsers write it: what a parser would make of another spelling is not asked.
  const isOurs = (one: string) => (throughProxy ? one === publicUrl : ours.some((name) => one === `http://${name}`));
  if (origin !== undefined && !isOurs(origin)) return `Invalid Origin: ${origin}`;
  // What a proxy passes on from plain HTTP others have read: a token, or the cookie that would be set.
  if (throughProxy && proto !== 'https') return `Invalid X-Forwarded-Proto: ${String(proto)}`;
  return undefined;
}

function hostsIn({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') count += 1;
  return count;
}

/** Asked for by the name that only the proxy before us has. */
export function isPublic({ headers }: IncomingMessage, publicUrl: string | undefined): boolean {
  return publicUrl !== undefined && publicUrl === `https://${headers.host?.toLowerCase()}`;
}

/** Asked for by a name that only this machine has: nobody in between reads a cookie that goes there. */
export function isLoopback({ headers }: IncomingMessage): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(headers.host ?? '');
}

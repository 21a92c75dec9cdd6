import type { IncomingMessage } from 'node:http';

/** What the daemon is called. */
export interface Names {
  readonly hostnames: readonly string[];
  /** Where a proxy speaks TLS for it. */
  readonly publicUrl: string | undefined;
}

/**
 * What is wrong with where a request wants to go or comes from, if anything. A page of another site reaches this machine
 * by a name that leads here (its Host is not ours) or openly (its Origin is not ours); only browsers send an Origin.
 */
export function foreignness(request: IncomingMessage, { hostnames, publicUrl }: Names): string | undefined {
  const { host = '', origin, 'x-forwarded-proto': proto } = request.headers;
  const { localPort } = request.socket;
  const throughProxy = isPublic(request, publicUrl);
  // A browser leaves out the port of plain HTTP.
  const ours = hostnames.flatMap((name) => [`${name}:${localPort}`, ...(localPort === 80 ? [name] : [])]);
  // Of several the first counts here, and perhaps the last for whoever stands in between.
  const several = request.rawHeaders.filter((one, index) => index % 2 === 0 && /^host$/i.test(one)).length > 1;
  if (several || !(throughProxy || ours.includes(host.toLowerCase()))) return `Invalid Host: ${host}`;
  // Letter by letter, as browsers write it: what a parser would make of another spelling is not asked.
  const origins = throughProxy ? [publicUrl] : ours.map((one) => `http://${one}`);
  if (origin !== undefined && !origins.includes(origin)) return `Invalid Origin: ${origin}`;
  // What a proxy passes on from plain HTTP others have read: a token, or the cookie that would be set.
  if (throughProxy && proto !== 'https') return `Invalid X-Forwarded-Proto: ${String(proto)}`;
  return undefined;
}

/** Asked for by the name that only the proxy before us has. */
export function isPublic({ headers }: IncomingMessage, publicUrl: string | undefined): boolean {
  return publicUrl !== undefined && publicUrl === `https://${headers.host?.toLowerCase()}`;
}

/** Asked for by a name that only this machine has: nobody in between reads a cookie that goes there. */
export function isLoopback({ headers }: IncomingMessage): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(headers.host ?? '');
}

import type { IncomingMessage } from 'node:http';

/**
 * What is wrong with where a request wants to go or comes from, if anything. A page of another site reaches this machine
 * by a name that leads here (its Host is not ours) or openly (its Origin is not ours); only browsers send an Origin.
 */
export function foreignness(request: IncomingMessage, hostnames: readonly string[]): string | undefined {
  const { host = '', origin } = request.headers;
  const { localPort } = request.socket;
  // A browser leaves out the port of plain HTTP.
  const ours = hostnames.flatMap((name) => [`${name}:${localPort}`, ...(localPort === 80 ? [name] : [])]);
  // Of several the first counts here, and perhaps the last for whoever stands in between.
  const several = request.rawHeaders.filter((one, index) => index % 2 === 0 && /^host$/i.test(one)).length > 1;
  if (several || !ours.includes(host.toLowerCase())) return `Invalid Host: ${host}`;
  // Letter by letter, as browsers write it: what a parser would make of another spelling is not asked.
  if (origin !== undefined && !ours.some((one) => origin === `http://${one}`)) return `Invalid Origin: ${origin}`;
  return undefined;
}

/** Asked for by a name that only this machine has: nobody in between reads a cookie that goes there. */
export function isLoopback({ headers }: IncomingMessage): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(headers.host ?? '');
}

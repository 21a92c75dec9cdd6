import type { IncomingMessage } from 'node:http';

/**
 * What is wrong with where a request wants to go or comes from, if anything. A page of another site reaches this machine
 * by a name that leads here (its Host is not ours) or openly (its Origin is not ours); only browsers send an Origin.
 */
export function foreignness(request: IncomingMessage, hostnames: readonly string[]): string | undefined {
  const { host = '', origin } = request.headers;
  const ours = hostnames.map((name) => `${name}:${request.socket.localPort}`);
  if (!ours.includes(withPort(host.toLowerCase()))) return `Invalid Host: ${host}`;
  if (origin === undefined) return undefined;
  const from = URL.canParse(origin) ? new URL(origin) : undefined;
  if (from?.protocol !== 'http:' || !ours.includes(withPort(from.host))) return `Invalid Origin: ${origin}`;
  return undefined;
}

/** Without a port it is the one of plain HTTP. */
function withPort(host: string): string {
  return /:\d+$/.test(host) ? host : `${host}:80`;
}

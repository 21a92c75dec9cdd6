import type { Config } from '../config/load.ts';
import { locate } from '../config/locate.ts';
import { listRoots } from '../config/root.ts';
import type { HttpServer } from './inspect-setup.ts';
import { messageOf } from '../base/failure.ts';
import type { Sentence } from '../kernel/text/text.ts';
import { version } from '../base/version.ts';
import { findDaemon } from '../daemon/process.ts';
import { ringPhrase } from './rings-text.ts';

const loopback = ['127.0.0.1', 'localhost', '[::1]'];

/** Checks that the URL is the daemon's, that it names this project, and that the daemon answers. */
export async function examineAddress(config: Config, { url, authorization }: HttpServer) {
  const broken = (found: Sentence, remedy = 'sekisho up --print-config') =>
    ({ state: 'broken', found, remedy }) as const;
  if (!URL.canParse(url)) return broken(ringPhrase.httpNoUrl({ url }));
  const address = new URL(url);
  const { data, root } = config.place;
  const daemon = await findDaemon(data);
  const isOurs = [daemon?.url, daemon?.page].some((one) => one !== undefined && isSameServer(address, new URL(one)));
  if (!isOurs && !loopback.includes(address.hostname))
    return { state: 'unknown' as const, found: ringPhrase.httpRemote({ url }) };
  if (daemon === undefined) return broken(ringPhrase.httpNoDaemon({ url }), 'sekisho up');
  if (!isOurs) return broken(ringPhrase.httpElsewhere({ url, daemon: daemon.url }));
  if (!/^\/mcp(\/|$)/.test(address.pathname)) return broken(ringPhrase.httpNoEndpoint({ url }));
  const named = address.searchParams.get('project');
  if (named === null && listRoots(data).length > 1) return broken(ringPhrase.httpNoProject({ url }));
  if (named !== null && locate({ project: named, cwd: root, env: config.environment }).root !== root)
    return broken(ringPhrase.httpOtherProject({ named, root }));
  if (authorization === undefined) return broken(ringPhrase.httpNoToken({ url }));
  try {
    // The SDK's client is expensive to load, and most commands do not need it.
    const { connectMcp } = await import('../surface/mcp/client.ts');
    const token = /^Bearer (?<token>[\w.~+/=-]+)$/i.exec(authorization)?.groups?.['token'] ?? daemon.token;
    await (await connectMcp('sekisho-status', version, { url, token })).close();
    return { state: 'on' as const, found: ringPhrase.server({ program: url }) };
  } catch (error) {
    return broken(ringPhrase.serverFails({ line: url, reason: messageOf(error) }));
  }
}

function isSameServer(one: URL, other: URL): boolean {
  const isLoopback = loopback.includes(one.hostname) && loopback.includes(other.hostname);
  return one.protocol === other.protocol && one.port === other.port && (isLoopback || one.hostname === other.hostname);
}

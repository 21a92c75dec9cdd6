import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Application } from '../../kernel/application.ts';
import type { Log } from '../../kernel/context.ts';
import { rpc } from '../../kernel/exchange.ts';
import { tooLargeMessage } from '../../kernel/message-size.ts';
import { isJsonObject } from '../../base/json-object.ts';
import { isTooDeep } from '../../kernel/json-limits.ts';
import type { Principal } from '../../kernel/principal.ts';
import { sessionlessRevision } from '../../protocol/revision.ts';
import { problem } from '../../kernel/problem.ts';
import type { Lang } from '../../kernel/text/text.ts';
import { isToolset, toolsets } from '../../kernel/toolset.ts';
import { type Changes, changesOf, changesOfRelay, gatherChanges, watchOutside } from '../mcp/changes.ts';
import { claimsModern } from '../mcp/era.ts';
import { type Id, tooDeepError } from '../mcp/message.ts';
import type { Connection, Served } from '../mcp/session.ts';
import { readBody, sendError } from './body.ts';
import { refuseMethod } from './failure.ts';
import type { Incoming, Sender } from './incoming.ts';
import type { ModernHttp } from './modern.ts';
import { Sessions } from './sessions.ts';

export interface McpOptions {
  readonly version: string;
  readonly log: Log;
  readonly lang: Lang;
  readonly maxMessageBytes: number;
  /** The application of a project, or the daemon's own if none is named. Undefined if there is no such folder. */
  appFor(project: string | undefined): Promise<Application | undefined>;
}

type Route = NonNullable<ReturnType<typeof routeOf>>;

const methods = ['GET', 'POST', 'DELETE'];

/** Serves both protocol eras at one URL. */
export async function createMcpEndpoint(options: McpOptions) {
  const { log, version, maxMessageBytes } = options;
  const onError = (error: Error) => log.error('mcp', { reason: error.stack ?? error.message });
  const sessions = new Sessions({ version, onError });
  let modern: Promise<ModernHttp> | undefined;
  const loadModern = async () => (await import('./modern.ts')).createModernHttp(version, log);
  const isHeard = () => sessions.listen || modern !== undefined;
  const watch = await watchChanges(options, isHeard, (changes) => {
    sessions.tell(changes).catch(onError);
    modern?.then((one) => one.tell(changes)).catch(onError);
  });

  const served = async (principal: Principal, route: Route, before: Served | undefined): Promise<Served> => {
    const app = await options.appFor(route.project);
    if (app === undefined)
      throw problem.BAD_CONFIGURATION({
        file: route.project ?? '',
        reason: { en: 'there is no such folder', ja: 'フォルダーがありません' },
      });
    // A request does not fail because changes cannot be watched; if the store is unavailable, the call itself says so.
    const watching = watch.add(app).catch((error: unknown) => log.debug('mcp', { reason: String(error) }));
    if (app === before?.app) return before;
    await watching;
    const connection: Connection = {
      toolsets: route.toolsets.filter(
        (one) => app.toolsets.includes(one) && (principal.toolsets?.includes(one) ?? true),
      ),
      call: { principal },
    };
    return { app, connection };
  };

  return {
    /** Answers the request if its path is one of MCP's. */
    async handle(request: Incoming, response: ServerResponse, url: URL, sender: Sender): Promise<boolean> {
      const { principal } = sender;
      const route = routeOf(url);
      if (route === undefined) return false;
      if (!methods.includes(request.method)) {
        refuseMethod(response, methods);
        return true;
      }
      let before: Served | undefined;
      const load = async () => (before = await served(principal, route, before));
      const read = request.method === 'POST' ? await readBody(request, maxMessageBytes) : undefined;
      const body = read?.json();
      if (read?.excerpt !== undefined)
        sendError(response, 413, rpc.invalidRequest, tooLargeMessage(maxMessageBytes), read.excerpt.identify()?.id);
      else if (request.method === 'POST' && body === undefined)
        sendError(response, 400, rpc.parseError, 'Parse error: the body is not JSON');
      else if (isTooDeep(body)) sendError(response, 400, rpc.invalidRequest, tooDeepError().message, idOf(body));
      else if (isModern(request, body))
        await (await (modern ??= loadModern())).handle(request, response, body, sender, load);
      else sessions.handle(request, response, body, { ...sender, route: route.text }, load);
      return true;
    },
    /** Ends the sessions of a principal that can no longer authenticate. */
    left(principal: Principal): void {
      sessions.end(principal);
    },
    async close(): Promise<void> {
      watch.stop();
      await (await modern)?.close();
      sessions.close();
    },
  };
}

/** Watches the journal and the upstreams of each served project and reports their changes. */
async function watchChanges(options: McpOptions, isHeard: () => boolean, tell: (changes: Changes) => void) {
  const main = await options.appFor(undefined);
  if (main === undefined) throw new Error('the daemon has no application of its own');
  const catalog = await main.catalog();
  const gathered = gatherChanges(tell);
  const stops: (() => void)[] = [];
  const watched = new Map<Application, Promise<void>>();
  const watch = async (app: Application): Promise<void> => {
    const stopRelay = app.relay?.watch((change) => gathered(changesOfRelay(change)));
    try {
      stops.push(await app.watch((entry) => gathered(changesOf(catalog, entry))));
    } catch (error) {
      stopRelay?.();
      throw error;
    }
    stops.push(watchOutside(app, catalog, isHeard, gathered));
    if (stopRelay !== undefined) stops.push(stopRelay);
  };
  const add = (app: Application): Promise<void> => {
    const watching = watched.get(app) ?? watch(app);
    watched.set(app, watching);
    watching.catch(() => watched.delete(app)); // The next request tries again: a database may come back.
    return watching;
  };
  await add(main);
  return {
    add,
    stop(): void {
      for (const stop of stops) stop();
    },
  };
}

/** Whether the request is of the 2026 era, by its body or by its header. If only the header says so, the SDK judges it. */
function isModern({ headers }: IncomingMessage, body: unknown): boolean {
  if ((Array.isArray(body) ? body : [body]).some(claimsModern)) return true;
  const version = headers['mcp-protocol-version'];
  return headers['mcp-session-id'] === undefined && typeof version === 'string' && version >= sessionlessRevision;
}

function idOf(body: unknown): Id | undefined {
  const id = isJsonObject(body) ? body['id'] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/** Parses the path: `/mcp` has every toolset, `/mcp/gate` one, `/mcp/gate,work` two. A session is bound to `text`. */
function routeOf(url: URL) {
  const [, first, second, ...rest] = url.pathname.split('/');
  if (first !== 'mcp' || rest.length > 0) return undefined;
  const project = url.searchParams.get('project') ?? undefined;
  const words = second === undefined || second === '' ? toolsets : second.replaceAll('%2C', ',').split(',');
  if (!words.every(isToolset)) return undefined;
  const served = words === toolsets ? toolsets : toolsets.filter((one) => words.includes(one));
  return { toolsets: served, project, text: `${served.join()}\n${project ?? ''}` };
}

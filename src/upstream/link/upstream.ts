import type { Context } from '../../kernel/context.ts';
import type { Plain } from '../../kernel/plain.ts';
import type { Caller, RelayChange } from '../../kernel/relay.ts';
import { messageOf } from '../../kernel/failure.ts';
import { Calls } from '../relay/calls.ts';
import type { Known } from './catalog.ts';
import { askList, askTools, keepCatalog, sameTools } from './catalog.ts';
import type { Connection } from '../wire/connection.ts';
import { UpstreamLink } from './link.ts';
import type { UpstreamSettings } from '../settings.ts';
import { isPlain } from '../../kernel/plain.ts';

export type OfferKind = 'resources' | 'resourceTemplates' | 'prompts';

const offers = {
  resources: { method: 'resources/list', capability: 'resources', key: 'uri' },
  resourceTemplates: { method: 'resources/templates/list', capability: 'resources', key: 'uriTemplate' },
  prompts: { method: 'prompts/list', capability: 'prompts', key: 'name' },
} as const;

/** How long a list waits for an upstream that nothing is known of. */
const readMs = 2000;
/** After one that did not come in that time, lists do not wait again for a while. */
const againMs = 30_000;
const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

export interface UpstreamOptions {
  readonly settings: UpstreamSettings;
  readonly version: string;
  readonly context: () => Promise<Context>;
  /** `tell`: our clients have seen what was there before. */
  readonly changed: (change: RelayChange, tell: boolean) => void;
}

/** One upstream as the relay sees it: its connection, what it offers, and the calls that it is working on. */
export class Upstream {
  readonly name: string;
  readonly settings: UpstreamSettings;
  readonly link: UpstreamLink;
  readonly calls = new Calls();
  /** Undefined until its tools have been read once, by anybody. */
  known: Known | undefined;
  readonly #options: UpstreamOptions;
  #offered = new Map<OfferKind, Promise<readonly Plain[]>>();
  /** Lists that were given out without what this upstream has. */
  readonly missing = new Set<'tools' | 'resources' | 'prompts'>();
  #readFailedAt = -Infinity;
  readonly #subscribed = new Set<string>();
  #logLevel: string | undefined;
  #listening: AbortController | undefined;

  constructor(options: UpstreamOptions) {
    this.#options = options;
    this.settings = options.settings;
    this.name = options.settings.name;
    this.link = new UpstreamLink({
      ...options,
      onConnected: (connection) => this.#welcome(connection),
      onRequest: async (method, params) => this.calls.ask(method, params, (await options.context()).project.root),
      onNotification: (method, params) => this.#hear(method, params),
    });
  }

  /** Tools that may be shown. */
  get tools(): readonly Plain[] {
    return (this.known?.tools ?? []).filter((tool) => this.allows(String(tool['name'])));
  }

  allows(tool: string): boolean {
    return this.settings.tools?.includes(tool) ?? true;
  }

  /** Connects only to read what there is: no init, no unlock, and no longer than a list may take. */
  async glance(caller: Pick<Caller, 'capabilities'>): Promise<Connection | undefined> {
    if (this.link.connection !== undefined) return this.link.connection;
    if (performance.now() - this.#readFailedAt < againMs) return undefined;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), readMs);
    });
    const opened = this.link.open(clientCapabilities(caller.capabilities)).catch(() => undefined); // The state tells why.
    const connection = await Promise.race([opened, late]).finally(() => clearTimeout(timer));
    if (connection === undefined) this.#readFailedAt = performance.now();
    return connection;
  }

  /** Resources, templates or prompts, read once per connection and whenever the upstream says that they changed. */
  offered(kind: OfferKind, connection: Connection): Promise<readonly Plain[]> {
    const { method, capability, key } = offers[kind];
    if (connection.greeting.capabilities[capability] === undefined) return Promise.resolve([]);
    const held = this.#offered.get(kind);
    if (held !== undefined) return held;
    const read = askList(connection, method, kind).then(
      (all) => all.filter((one): one is Plain => isPlain(one) && typeof one[key] === 'string'),
      async (error: unknown) => {
        this.#offered.delete(kind);
        const { log } = await this.#options.context();
        log.warn(`${method} of an upstream failed`, { upstream: this.name, reason: messageOf(error) });
        return [];
      },
    );
    this.#offered.set(kind, read);
    return read;
  }

  async subscribe(uri: string, on: boolean): Promise<void> {
    if (on) this.#subscribed.add(uri);
    else this.#subscribed.delete(uri);
    const { connection } = this.link;
    if (connection === undefined) return;
    if (connection.greeting.era === 'modern') this.#listen(connection);
    else await connection.peer.request(on ? 'resources/subscribe' : 'resources/unsubscribe', { uri });
  }

  /** Several clients share the upstream, each filters for itself: it is asked for the most that anybody wants. */
  async setLogLevel(level: string): Promise<void> {
    if (this.#logLevel !== undefined && levels.indexOf(level) >= levels.indexOf(this.#logLevel)) return;
    this.#logLevel = level;
    const { connection } = this.link;
    if (connection !== undefined) await this.#passLogLevel(connection);
  }

  async #welcome(connection: Connection): Promise<void> {
    this.#offered = new Map();
    await this.#learn(connection);
    if (connection.greeting.era === 'modern') this.#listen(connection);
    else {
      await this.#passLogLevel(connection);
      for (const uri of this.#subscribed)
        await connection.peer.request('resources/subscribe', { uri }).catch(() => undefined); // Gone meanwhile.
    }
    this.announce(connection);
  }

  /** What was closed to a client, or away, is there now. */
  announce({ greeting }: Connection): void {
    for (const list of ['resources', 'prompts'] as const)
      if (greeting.capabilities[list] !== undefined) this.#options.changed({ list }, this.missing.delete(list));
  }

  async #learn(connection: Connection): Promise<void> {
    const context = await this.#options.context();
    try {
      const known = await askTools(connection, context.now());
      if (sameTools(this.known, known)) return;
      for (const { name, reason } of known.leftOut)
        context.log.warn('a tool of an upstream is left out', { upstream: this.name, tool: name, reason });
      const tell = this.missing.delete('tools') || this.known !== undefined;
      this.known = known;
      this.#options.changed({ list: 'tools' }, tell);
      await keepCatalog(context, this.name, known);
    } catch (error) {
      context.log.warn('the tools of an upstream could not be read', { upstream: this.name, reason: messageOf(error) });
    }
  }

  async #passLogLevel({ peer, greeting }: Connection): Promise<void> {
    if (this.#logLevel === undefined || greeting.era === 'modern' || greeting.capabilities['logging'] === undefined)
      return;
    await peer.request('logging/setLevel', { level: this.#logLevel }).catch(() => undefined); // Only a wish.
  }

  /** The 2026 era tells only those who listen; what they listen to is said anew when it changes. */
  #listen(connection: Connection): void {
    this.#listening?.abort('renewed');
    const listening = (this.#listening = new AbortController());
    const { tools, prompts, resources } = connection.greeting.capabilities as Readonly<
      Record<string, Plain | undefined>
    >;
    const notifications = {
      ...(tools?.['listChanged'] === true && { toolsListChanged: true }),
      ...(prompts?.['listChanged'] === true && { promptsListChanged: true }),
      ...(resources?.['listChanged'] === true && { resourcesListChanged: true }),
      ...(this.#subscribed.size > 0 && { resourceSubscriptions: [...this.#subscribed] }),
    };
    if (Object.keys(notifications).length === 0) return;
    connection.peer.request('subscriptions/listen', { notifications }, { signal: listening.signal }).catch(() => {
      // The stream ended without our doing: the upstream may be gone.
      if (!listening.signal.aborted) connection.peer.onDoubt('the subscription ended');
    });
  }

  #hear(method: string, params: Plain): void {
    const { connection } = this.link;
    if (method === 'notifications/tools/list_changed') {
      if (connection !== undefined) void this.#learn(connection);
    } else if (method === 'notifications/resources/list_changed') {
      this.#offered.delete('resources');
      this.#offered.delete('resourceTemplates');
      this.#options.changed({ list: 'resources' }, true);
    } else if (method === 'notifications/prompts/list_changed') {
      this.#offered.delete('prompts');
      this.#options.changed({ list: 'prompts' }, true);
    } else if (method === 'notifications/resources/updated') {
      if (typeof params['uri'] === 'string') this.#options.changed({ uri: params['uri'] }, true);
    } else if (method === 'notifications/message' || method.startsWith('notifications/elicitation/')) {
      this.calls.tell(method, params);
    }
  }
}

/** What we may promise an upstream on behalf of a client. */
export function clientCapabilities(capabilities: Plain): Plain {
  const { sampling, elicitation, roots } = capabilities;
  return {
    ...(sampling !== undefined && { sampling }),
    ...(elicitation !== undefined && { elicitation }),
    ...(roots !== undefined && { roots: {} }),
  };
}

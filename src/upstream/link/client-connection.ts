import type { Context } from '../../kernel/context.ts';
import { messageOf } from '../../base/failure.ts';
import { type JsonObject, isJsonObject } from '../../base/json-object.ts';
import type { Caller, RelayChange } from '../../kernel/relay.ts';
import { Calls } from '../relay/calls.ts';
import { createAnswers } from '../relay/questions.ts';
import type { UpstreamSettings } from '../settings.ts';
import type { Connection } from '../wire/connection.ts';
import { capabilitiesFor } from '../wire/meta.ts';
import { UpstreamError } from '../wire/message.ts';
import { type KnownTools, askList, askTools, keepCatalog, sameTools } from './catalogue.ts';
import { UpstreamLink } from './link.ts';

export type OfferKind = 'resources' | 'resourceTemplates' | 'prompts';

export type Client = Pick<Caller, 'connection' | 'era' | 'capabilities' | 'voice' | 'standing'>;

const offers = {
  resources: { method: 'resources/list', capability: 'resources', key: 'uri' },
  resourceTemplates: { method: 'resources/templates/list', capability: 'resources', key: 'uriTemplate' },
  prompts: { method: 'prompts/list', capability: 'prompts', key: 'name' },
} as const;

/** The time a list waits for an upstream whose tools are not known yet. */
const readMs = 2000;
/** After a timeout, lists do not wait for this upstream again for this long. */
const againMs = 30_000;
/** A notification stream that lived at least this long is reopened quickly. */
const steadyMs = 10_000;
const againSoonMs = 500;
const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const kept = 1000;

export interface UpstreamOptions {
  readonly settings: UpstreamSettings;
  readonly context: () => Promise<Context>;
  /** `tell`: our clients have seen the previous list. */
  readonly changed: (change: RelayChange, tell: boolean) => void;
}

interface ClientConnectionOptions extends UpstreamOptions {
  readonly client: Client;
  /** The tools that any connection to this upstream read last. */
  readonly known: { get(): KnownTools | undefined; set(known: KnownTools): void };
}

/** One client's connection to an upstream. Everything on it belongs to this client alone, as on a direct connection. */
export class ClientConnection {
  readonly link: UpstreamLink;
  readonly calls = new Calls();
  /** Lists that the client got without this upstream's part. */
  readonly missing = new Set<'tools' | 'resources' | 'prompts'>();
  readonly #options: ClientConnectionOptions;
  #client: Client;
  #known: KnownTools | undefined;
  #offers = new Map<OfferKind, Promise<readonly JsonObject[]>>();
  #readFailedAt = -Infinity;
  readonly #subscribed = new Set<string>();
  readonly #tasks = new Set<string>();
  readonly #tokens = new Map<unknown, unknown>();
  #logLevel: string | undefined;
  #listening: AbortController | undefined;
  #listenPauseMs = againSoonMs / 2;

  constructor(options: ClientConnectionOptions) {
    this.#options = options;
    this.#client = options.client;
    const root = async () => (await options.context()).project.root;
    this.link = new UpstreamLink({
      ...options,
      capabilities: (era) => capabilitiesFor(era, this.#client),
      onConnected: (connection) => this.#handleConnected(connection),
      onRequest: createAnswers(this.calls, () => this.#client, root),
      onNotification: (method, params) => this.#receive(method, params),
    });
  }

  /** Whether the connection can be closed without losing anything. */
  get idle(): boolean {
    return this.calls.idle && this.#subscribed.size === 0;
  }

  /** The tools this connection read, else those that any connection read last. */
  get known(): KnownTools | undefined {
    return this.#known ?? this.#options.known.get();
  }

  /** Updates the client for a new request: in the 2026 era each request states its capabilities. */
  updateClient(client: Client): void {
    this.#client = client;
    this.calls.updateClient(client);
  }

  /** Connects only to read lists: without init or unlock, and no longer than a list may take. */
  async connectBriefly(): Promise<Connection | undefined> {
    if (this.link.connection !== undefined) return this.link.connection;
    if (performance.now() - this.#readFailedAt < againMs) return undefined;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), readMs);
    });
    const opened = this.link.open().catch(() => undefined); // The link's state has the reason.
    // Questions of the upstream can use this request only until the list is answered.
    const attended = this.calls.attend(this.#client.voice, () => Promise.race([opened, late]));
    const connection = await attended.finally(() => clearTimeout(timer));
    if (connection === undefined) this.#readFailedAt = performance.now();
    return connection;
  }

  /** Returns resources, templates or prompts, which are read once per connection and again after they changed. */
  readOffers(kind: OfferKind, connection: Connection): Promise<readonly JsonObject[]> {
    const { method, capability, key } = offers[kind];
    if (connection.greeting.capabilities[capability] === undefined) return Promise.resolve([]);
    const cached = this.#offers.get(kind);
    if (cached !== undefined) return cached;
    const read = askList(connection, method, kind).then(
      (all) => all.filter((one): one is JsonObject => isJsonObject(one) && typeof one[key] === 'string'),
      async (error: unknown) => {
        this.#offers.delete(kind);
        const { log } = await this.#options.context();
        const { name: upstream } = this.#options.settings;
        log.warn(`${method} of an upstream failed`, { upstream, reason: messageOf(error) });
        return [];
      },
    );
    this.#offers.set(kind, read);
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

  /** Raises the upstream's log level to the most detailed one requested: each 2026-era request has its own. */
  async wantLogs(level: string): Promise<void> {
    if (this.#logLevel === undefined || levels.indexOf(level) < levels.indexOf(this.#logLevel))
      await this.setLogLevel(level);
  }

  async setLogLevel(level: string): Promise<void> {
    this.#logLevel = level;
    const { connection } = this.link;
    if (connection !== undefined) await this.#passLogLevel(connection);
  }

  /** Remembers a task of this client; its progress is sent under the client's token. */
  addTask(task: string, ours: unknown, theirs: unknown): void {
    this.#tasks.add(task);
    if (theirs !== undefined) this.#tokens.set(ours, theirs);
    for (const held of [this.#tasks, this.#tokens])
      if (held.size > kept) held.delete(held.keys().next().value as never);
  }

  hasTask(id: unknown): boolean {
    return this.#tasks.has(String(id));
  }

  notifyUpstream(method: string, params: JsonObject): void {
    const { connection } = this.link;
    // The 2026 era has no such notifications.
    if (connection?.greeting.era === 'legacy') connection.peer.notify(method, params).catch(() => undefined); // It has disconnected.
  }

  async #handleConnected(connection: Connection): Promise<void> {
    this.#offers = new Map();
    await this.#readTools(connection);
    if (connection.greeting.era === 'modern') this.#listen(connection);
    else {
      await this.#passLogLevel(connection);
      for (const uri of this.#subscribed)
        await connection.peer.request('resources/subscribe', { uri }).catch(() => undefined); // The resource is gone.
    }
    this.announce(connection);
  }

  /** Announces resources and prompts that were locked or unavailable before. */
  announce({ greeting }: Connection): void {
    for (const list of ['resources', 'prompts'] as const)
      if (greeting.capabilities[list] !== undefined) this.#options.changed({ list }, this.missing.delete(list));
  }

  async #readTools(connection: Connection): Promise<void> {
    const context = await this.#options.context();
    const { settings, known: shared } = this.#options;
    try {
      const known = await askTools(connection, context.now());
      const before = this.known;
      this.#known = known;
      if (sameTools(before, known)) return;
      const { name: upstream } = settings;
      for (const { name: tool, reason } of known.leftOut)
        context.log.warn('a tool of an upstream is left out', { upstream, tool, reason: reason.en });
      const tell = this.missing.delete('tools') || before !== undefined;
      shared.set(known);
      this.#options.changed({ list: 'tools' }, tell);
      await keepCatalog(context, settings.name, known);
    } catch (error) {
      const reason = messageOf(error);
      context.log.warn('the tools of an upstream could not be read', { upstream: settings.name, reason });
    }
  }

  async #passLogLevel({ peer, greeting }: Connection): Promise<void> {
    if (this.#logLevel === undefined || greeting.era === 'modern' || greeting.capabilities['logging'] === undefined)
      return;
    await peer.request('logging/setLevel', { level: this.#logLevel }).catch(() => undefined); // A log level is only a wish.
  }

  /** Opens a new stream of notifications, the only way in which a 2026-era upstream sends them. */
  #listen(connection: Connection): void {
    this.#listening?.abort('renewed');
    const listening = (this.#listening = new AbortController());
    const { tools, prompts, resources } = connection.greeting.capabilities as Readonly<
      Record<string, JsonObject | undefined>
    >;
    const notifications = {
      ...(tools?.['listChanged'] === true && { toolsListChanged: true }),
      ...(prompts?.['listChanged'] === true && { promptsListChanged: true }),
      ...(resources?.['listChanged'] === true && { resourcesListChanged: true }),
      ...(this.#subscribed.size > 0 && { resourceSubscriptions: [...this.#subscribed] }),
    };
    if (Object.keys(notifications).length === 0) return;
    const startedAt = performance.now();
    const over = (error?: unknown) => {
      // We ended it, or the upstream does not support it.
      if (listening.signal.aborted || error instanceof UpstreamError) return;
      connection.peer.onDoubt();
      this.#listenPauseMs =
        performance.now() - startedAt > steadyMs ? againSoonMs : Math.min(this.#listenPauseMs * 2, againMs);
      setTimeout(() => this.#listenAgain(connection, listening), this.#listenPauseMs).unref();
    };
    connection.peer
      .request('subscriptions/listen', { notifications }, { signal: listening.signal })
      .then(() => over(), over);
  }

  /** Reopens a stream that ended while the upstream is still there, and reads changes that may have been missed. */
  #listenAgain(connection: Connection, ended: AbortController): void {
    if (this.link.connection !== connection || this.#listening !== ended) return;
    this.#offers = new Map();
    this.#listen(connection);
    void this.#readTools(connection);
    this.announce(connection);
  }

  #receive(method: string, params: JsonObject): void {
    const { connection } = this.link;
    if (method === 'notifications/tools/list_changed') {
      if (connection !== undefined) void this.#readTools(connection);
    } else if (method === 'notifications/resources/list_changed') {
      this.#offers.delete('resources');
      this.#offers.delete('resourceTemplates');
      this.#options.changed({ list: 'resources' }, true);
    } else if (method === 'notifications/prompts/list_changed') {
      this.#offers.delete('prompts');
      this.#options.changed({ list: 'prompts' }, true);
    } else if (method === 'notifications/resources/updated') {
      if (typeof params['uri'] === 'string') this.#options.changed({ uri: params['uri'] }, true);
    } else if (method === 'notifications/progress') {
      // The progress belongs to a task: the call that began it is already answered.
      const token = this.#tokens.get(params['progressToken']);
      if (token !== undefined) this.calls.tell(method, { ...params, progressToken: token });
    } else this.calls.tell(method, params);
  }
}

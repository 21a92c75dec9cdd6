import type { Context } from '../../kernel/context.ts';
import { messageOf } from '../../base/failure.ts';
import { type JsonObject, isJsonObject } from '../../base/json-object.ts';
import type { Caller, RelayChange } from '../../kernel/relay.ts';
import { Calls } from '../relay/calls.ts';
import { Questions } from '../relay/questions.ts';
import type { UpstreamSettings } from '../settings.ts';
import type { Connection } from '../wire/connection.ts';
import { capabilitiesFor } from '../wire/capabilities.ts';
import { UpstreamError } from '../wire/message.ts';
import { type Known, askList, askTools, keepCatalog, sameTools } from './catalogue.ts';
import { UpstreamLink } from './link.ts';

export type OfferKind = 'resources' | 'resourceTemplates' | 'prompts';

/** Who a lane is for. */
export type Client = Pick<Caller, 'connection' | 'era' | 'capabilities' | 'voice' | 'standing'>;

const offers = {
  resources: { method: 'resources/list', capability: 'resources', key: 'uri' },
  resourceTemplates: { method: 'resources/templates/list', capability: 'resources', key: 'uriTemplate' },
  prompts: { method: 'prompts/list', capability: 'prompts', key: 'name' },
} as const;

/** How long a list waits for an upstream that nothing is known of. */
const readMs = 2000;
/** After one that did not come in that time, lists do not wait again for a while. */
const againMs = 30_000;
/** A stream of notifications that lived so long ended for a reason of its own. */
const steadyMs = 10_000;
const againSoonMs = 500;
const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
/** Tasks and progress tokens of one client that are remembered. */
const kept = 1000;

export interface LaneOptions {
  readonly settings: UpstreamSettings;
  readonly version: string;
  readonly context: () => Promise<Context>;
  readonly client: Client;
  /** `tell`: our clients have seen what was there before. */
  readonly changed: (change: RelayChange, tell: boolean) => void;
  /** What anybody knew of its tools last. */
  readonly known: { get(): Known | undefined; set(known: Known): void };
}

/**
 * One client's connection to an upstream. What it can do, its roots, questions, subscriptions, log level and tasks are its
 * own there, as they would be without us in between.
 */
export class ClientConnection {
  readonly link: UpstreamLink;
  readonly calls = new Calls();
  /** Lists that were given out without what this upstream has. */
  readonly missing = new Set<'tools' | 'resources' | 'prompts'>();
  readonly #options: LaneOptions;
  #client: Client;
  #known: Known | undefined;
  #offered = new Map<OfferKind, Promise<readonly JsonObject[]>>();
  #readFailedAt = -Infinity;
  readonly #subscribed = new Set<string>();
  readonly #tasks = new Set<string>();
  readonly #tokens = new Map<unknown, unknown>();
  #logLevel: string | undefined;
  #listening: AbortController | undefined;
  #listenPauseMs = againSoonMs / 2;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#client = options.client;
    const root = async () => (await options.context()).project.root;
    const questions = new Questions(this.calls, () => this.#client, root);
    this.link = new UpstreamLink({
      ...options,
      capabilities: (era) => capabilitiesFor(era, this.#client),
      onConnected: (connection) => this.#welcome(connection),
      onRequest: (method, params, signal) => questions.answer(method, params, signal),
      onNotification: (method, params) => this.#hear(method, params),
    });
  }

  /** Nothing is lost where it is closed. */
  get idle(): boolean {
    return this.calls.idle && this.#subscribed.size === 0;
  }

  /** What this connection has, else what anybody's had last. */
  get known(): Known | undefined {
    return this.#known ?? this.#options.known.get();
  }

  /** The same client with another request: in the 2026 era it says anew what it can do. */
  meet(client: Client): void {
    this.#client = client;
    this.calls.meet(client);
  }

  /** Connects only to read what there is: no init, no unlock, and no longer than a list may take. */
  async glance(): Promise<Connection | undefined> {
    if (this.link.connection !== undefined) return this.link.connection;
    if (performance.now() - this.#readFailedAt < againMs) return undefined;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), readMs);
    });
    const opened = this.link.open().catch(() => undefined); // The state tells why.
    // What it asks once the list has been answered cannot be asked over that request any more.
    const attended = this.calls.attend(this.#client.voice, () => Promise.race([opened, late]));
    const connection = await attended.finally(() => clearTimeout(timer));
    if (connection === undefined) this.#readFailedAt = performance.now();
    return connection;
  }

  /** Resources, templates or prompts, read once per connection and whenever the upstream says that they changed. */
  offered(kind: OfferKind, connection: Connection): Promise<readonly JsonObject[]> {
    const { method, capability, key } = offers[kind];
    if (connection.greeting.capabilities[capability] === undefined) return Promise.resolve([]);
    const held = this.#offered.get(kind);
    if (held !== undefined) return held;
    const read = askList(connection, method, kind).then(
      (all) => all.filter((one): one is JsonObject => isJsonObject(one) && typeof one[key] === 'string'),
      async (error: unknown) => {
        this.#offered.delete(kind);
        const { log } = await this.#options.context();
        const { name: upstream } = this.#options.settings;
        log.warn(`${method} of an upstream failed`, { upstream, reason: messageOf(error) });
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

  /** A request of the 2026 era asks for its own level: then the upstream is asked for the most that any wanted. */
  async wantLogs(level: string): Promise<void> {
    if (this.#logLevel === undefined || levels.indexOf(level) < levels.indexOf(this.#logLevel))
      await this.setLogLevel(level);
  }

  async setLogLevel(level: string): Promise<void> {
    this.#logLevel = level;
    const { connection } = this.link;
    if (connection !== undefined) await this.#passLogLevel(connection);
  }

  /** A task was made here for this client; its progress goes on under the client's token. */
  begun(task: string, ours: unknown, theirs: unknown): void {
    this.#tasks.add(task);
    if (theirs !== undefined) this.#tokens.set(ours, theirs);
    for (const held of [this.#tasks, this.#tokens])
      if (held.size > kept) held.delete(held.keys().next().value as never);
  }

  hasTask(id: unknown): boolean {
    return this.#tasks.has(String(id));
  }

  /** What the client says to whoever it is connected to. */
  heard(method: string, params: JsonObject): void {
    const { connection } = this.link;
    // The 2026 era has no such notifications.
    if (connection?.greeting.era === 'legacy') connection.peer.notify(method, params).catch(() => undefined); // Gone.
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
    const { settings, known: shared } = this.#options;
    try {
      const known = await askTools(connection, context.now());
      const before = this.known;
      this.#known = known;
      if (sameTools(before, known)) return;
      for (const { name, reason } of known.leftOut)
        context.log.warn('a tool of an upstream is left out', {
          upstream: settings.name,
          tool: name,
          reason: reason.en,
        });
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
    await peer.request('logging/setLevel', { level: this.#logLevel }).catch(() => undefined); // Only a wish.
  }

  /** The 2026 era tells only those who listen; what they listen to is said anew when it changes. */
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
    const begun = performance.now();
    const over = (error?: unknown) => {
      // Ended by us, or the upstream does not know this.
      if (listening.signal.aborted || error instanceof UpstreamError) return;
      connection.peer.onDoubt();
      this.#listenPauseMs =
        performance.now() - begun > steadyMs ? againSoonMs : Math.min(this.#listenPauseMs * 2, againMs);
      setTimeout(() => this.#listenAgain(connection, listening), this.#listenPauseMs).unref();
    };
    connection.peer
      .request('subscriptions/listen', { notifications }, { signal: listening.signal })
      .then(() => over(), over);
  }

  /** The stream ended, but not the upstream: what it would have told meanwhile is read. */
  #listenAgain(connection: Connection, ended: AbortController): void {
    if (this.link.connection !== connection || this.#listening !== ended) return;
    this.#offered = new Map();
    this.#listen(connection);
    void this.#learn(connection);
    this.announce(connection);
  }

  #hear(method: string, params: JsonObject): void {
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
    } else if (method === 'notifications/progress') {
      // Of a task: the call that began it has its answer already.
      const token = this.#tokens.get(params['progressToken']);
      if (token !== undefined) this.calls.tell(method, { ...params, progressToken: token });
    } else this.calls.tell(method, params);
  }
}

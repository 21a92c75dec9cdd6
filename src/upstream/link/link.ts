import { inheritableEnvironment } from '../../base/environment.ts';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../../kernel/context.ts';
import type { JsonObject } from '../../base/json-object.ts';
import { messageSettings } from '../../kernel/message-size.ts';
import { messageOf } from '../../base/failure.ts';
import type { Reason } from '../../kernel/text/text.ts';
import { endTree } from '../../machine/tree.ts';
import { backoffMs } from './backoff.ts';
import { type Connection, connect } from '../wire/connection.ts';
import { launchUpstream } from './launch.ts';
import { causes } from '../wire/cause.ts';
import { Lost, UpstreamError, reasonOf } from '../wire/message.ts';
import { type LinkRecord, forgetLink, processTreeOf, recordLink, upstreamMarker } from './registry.ts';
import type { UpstreamSettings } from '../settings.ts';

export type LinkState = 'idle' | 'connecting' | 'connected' | 'disconnected';

/** The init script failed; the message is the upstream's own. */
export class InitFailed extends Error {}

/** The init script cannot be read; the upstream is not at fault. */
export class ScriptUnreadable extends Error {}

export interface LinkOptions {
  readonly settings: UpstreamSettings;
  readonly context: () => Promise<Context>;
  /** Called for a new connection; its lists are read before it is used. */
  readonly onConnected: (connection: Connection) => Promise<void>;
  /** Returns the client's capabilities in the form of the upstream's era. */
  readonly capabilities: (era: 'legacy' | 'modern') => JsonObject;
  readonly onRequest: (method: string, params: JsonObject, signal: AbortSignal) => Promise<JsonObject>;
  readonly onNotification: (method: string, params: JsonObject) => void;
}

const checkMs = 5000;
const initMs = 120_000;
/** The time a call waits for an upstream that has just disconnected. After that it makes one attempt. */
const patienceMs = 5000;
const steadyMs = 10_000;

/** The connection to one upstream across reconnects. */
export class UpstreamLink {
  readonly settings: UpstreamSettings;
  state: LinkState = 'idle';
  cause: Reason | undefined;
  /** The init script has run on this connection, or there is none. */
  ready = false;
  reconnects = 0;
  connection: Connection | undefined;
  readonly #options: LinkOptions;
  readonly #closing = new AbortController();
  #id: string | undefined;
  #child: { marker: string; pid: number | null } | undefined;
  #opening: Promise<Connection> | undefined;
  #preparing: Promise<Connection> | undefined;
  #isChecking = false;
  #isReconnecting = false;
  #downSince: number | undefined;
  #connectedAt = 0;
  #failures = 0;
  /** Status writes to the store run one after the other, so that the last one is the current state. */
  #notes: Promise<void> = Promise.resolve();

  constructor(options: LinkOptions) {
    this.settings = options.settings;
    this.#options = options;
  }

  /** Returns the live connection, or a single attempt to connect that all callers share. */
  open(): Promise<Connection> {
    if (this.connection !== undefined) return Promise.resolve(this.connection);
    return (this.#opening ??= this.#connect().finally(() => (this.#opening = undefined)));
  }

  /** Like `open`, and runs the init script. */
  prepare(): Promise<Connection> {
    if (this.connection !== undefined && this.ready) return Promise.resolve(this.connection);
    return (this.#preparing ??= this.#prepare().finally(() => (this.#preparing = undefined)));
  }

  /** Like `prepare`, but waits for an upstream that has just disconnected: it may be restarting. */
  async await(signal: AbortSignal): Promise<Connection> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.prepare();
      } catch (error) {
        const waited = Date.now() - (this.#downSince ?? 0);
        const hopeless =
          error instanceof InitFailed || error instanceof ScriptUnreadable || (error instanceof Lost && error.final);
        if (hopeless || waited > patienceMs || signal.aborted || this.#closing.signal.aborted) throw error;
        await pause(backoffMs(attempt, 50, 500, Math.random), undefined, { signal });
      }
    }
  }

  /** Pings the upstream; a dead connection is dropped. */
  async check(): Promise<boolean> {
    const { connection } = this;
    if (connection === undefined) return false;
    const { peer, greeting } = connection;
    try {
      await peer.request(greeting.era === 'modern' ? 'server/discover' : 'ping', {}, { timeoutMs: checkMs });
      return true;
    } catch (error) {
      if (error instanceof UpstreamError) return true; // It has no ping, but it answers.
      await this.drop(connection, reasonOf(error));
      return false;
    }
  }

  async drop(connection: Connection, cause: Reason): Promise<void> {
    this.#lose(connection, cause);
    await connection.peer.close(cause).catch(() => undefined); // The connection is dropped anyway.
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.connection?.peer.close(causes.closing).catch(() => undefined); // The connection is dropped anyway.
    await this.#opening?.catch(() => undefined);
    await this.#notes;
    if (this.#id !== undefined) await forgetLink(await this.#options.context(), this.#record()).catch(() => undefined); // A later server start removes it.
  }

  async #connect(): Promise<Connection> {
    const { settings } = this;
    if (this.#closing.signal.aborted) throw new Lost(causes.closing, false);
    const context = await this.#options.context();
    const marker = context.newId('');
    this.#id ??= context.newId('lnk-');
    this.state = 'connecting';
    try {
      // Recorded before the start: if this server is killed, the next one finds the process by its mark.
      if (settings.url === undefined) this.#child = { marker, pid: null };
      await this.#note('upstream.connecting');
      const connection = await connect(settings, {
        capabilities: this.#options.capabilities,
        cwd: context.project.root,
        env: { ...inheritableEnvironment(context.environment), [upstreamMarker]: marker },
        launch: (start) => launchUpstream(context, start, { [upstreamMarker]: marker }),
        signal: this.#closing.signal,
        onStart: (pid) => {
          if (this.#child?.marker !== marker) return;
          this.#child = { marker, pid };
          // On other platforms the mark is not visible from outside; only the process id identifies the process.
          if (process.platform !== 'linux') this.#noteSoon('upstream.started');
        },
        // Also ends processes that left the group, as browsers do.
        onEnd: () => endTree(processTreeOf(marker, undefined), 0),
        maxMessageBytes: messageSettings.of(context).maxMessageBytes,
      });
      this.#adopt(connection);
      await this.#options.onConnected(connection);
      if (this.connection !== connection) throw new Lost(this.cause ?? causes.wentAway, false);
      return connection;
    } catch (error) {
      this.connection = undefined;
      this.#child = undefined;
      this.#down(reasonOf(error));
      throw error;
    }
  }

  #adopt(connection: Connection): void {
    const { peer } = connection;
    peer.onRequest = this.#options.onRequest;
    peer.onNotification = this.#options.onNotification;
    peer.onClose = (cause) => this.#lose(connection, cause);
    peer.onDoubt = () => {
      // A stream broke. Only a ping shows whether the upstream is gone.
      if (this.#isChecking) return;
      this.#isChecking = true;
      void this.check().finally(() => (this.#isChecking = false));
    };
    if (this.#connectedAt > 0) this.reconnects++;
    this.connection = connection;
    this.ready = this.settings.init === undefined;
    this.state = 'connected';
    this.cause = undefined;
    this.#downSince = undefined;
    this.#connectedAt = Date.now();
    this.#noteSoon('upstream.connected');
  }

  async #prepare(): Promise<Connection> {
    const { init } = this.settings;
    // The script is read before anything is started for it.
    const script = init === undefined ? '' : await this.#readScript(init.script);
    const connection = await this.open();
    if (this.ready || init === undefined) return connection;
    try {
      const call = { name: init.tool, arguments: { [init.argument]: script } };
      const options = { timeoutMs: initMs, signal: this.#closing.signal };
      const { result } = await connection.peer.request('tools/call', call, options);
      if (result['isError'] === true) throw new Error(textOf(result));
    } catch (error) {
      const said = new InitFailed(messageOf(error));
      await this.drop(connection, causes.initFailed(said.message));
      throw said;
    }
    if (this.connection !== connection) throw new Lost(this.cause ?? causes.wentAway, false);
    this.ready = true;
    return connection;
  }

  async #readScript(path: string): Promise<string> {
    const { project } = await this.#options.context();
    return readFile(resolve(project.root, path), 'utf8').catch((error: unknown) => {
      throw new ScriptUnreadable(messageOf(error));
    });
  }

  #lose(connection: Connection, cause: Reason): void {
    if (this.connection !== connection) return;
    this.connection = undefined;
    this.ready = false;
    this.#child = undefined;
    this.#down(cause);
    connection.peer.close(cause).catch(() => undefined); // Pending requests fail with this cause.
    // Only after a connection that lived for a while do the waits start short again.
    if (Date.now() - this.#connectedAt > steadyMs) this.#failures = 0;
    if (this.settings.reconnect === 'auto') void this.#reconnect();
  }

  #down(cause: Reason): void {
    this.state = 'disconnected';
    this.cause = cause;
    this.#downSince ??= Date.now();
    if (!this.#closing.signal.aborted) this.#noteSoon('upstream.disconnected');
  }

  /** Reconnects in the background, so that the next call finds a connection. */
  async #reconnect(): Promise<void> {
    if (this.#isReconnecting) return;
    this.#isReconnecting = true;
    const { signal } = this.#closing;
    try {
      while (this.connection === undefined && !signal.aborted) {
        await pause(backoffMs(this.#failures++, 100, 30_000, Math.random), undefined, { signal, ref: false });
        if (this.connection === undefined) await this.prepare().catch(() => undefined); // The link's state has the reason.
      }
    } catch {
      // The server is closing.
    } finally {
      this.#isReconnecting = false;
    }
  }

  #record(): LinkRecord {
    return {
      id: this.#id ?? '',
      upstream: this.settings.name,
      state: this.state,
      cause: this.cause,
      reconnects: this.reconnects,
      marker: this.#child?.marker ?? null,
      pid: this.#child?.pid ?? null,
    };
  }

  #note(kind: string): Promise<void> {
    const record = this.#record();
    const written = this.#notes.then(async () => recordLink(await this.#options.context(), record, kind));
    this.#notes = written.catch(() => undefined); // The caller that awaits `written` gets the error.
    return written;
  }

  #noteSoon(kind: string): void {
    this.#note(kind).catch(async (error: unknown) => {
      const { log } = await this.#options.context();
      log.warn('the state of an upstream was not recorded', { upstream: this.settings.name, reason: String(error) });
    });
  }
}

/** Returns the upstream's address without secrets. */
export function addressOf({ url, command }: UpstreamSettings): string {
  if (url === undefined) return (command ?? []).join(' ');
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  shown.search = '';
  return shown.href;
}

export function textOf(result: JsonObject): string {
  const content = Array.isArray(result['content']) ? (result['content'] as readonly JsonObject[]) : [];
  const text = content.map((one) => (typeof one['text'] === 'string' ? one['text'] : '')).join('\n');
  return text.trim() === '' ? JSON.stringify(result) : text;
}

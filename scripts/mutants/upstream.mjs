const upstream = ['test/e2e/upstream.test.ts'];
const reconnect = ['test/e2e/upstream-reconnect.test.ts'];

export default [
  {
    what: 'whose question it is',
    find: 'const found = this.#connections.get(client.connection) ?? this.#open(client);',
    replace: 'const found = this.connections[0] ?? this.#open(client);',
    tests: ['test/e2e/faithful.test.ts'],
    only: 'faithful.clients',
  },
  {
    what: 'the steady reset',
    find: 'if (Date.now() - this.#connectedAt > steadyMs) this.#failures = 0;',
    replace: '',
    tests: reconnect,
    only: 'lived for a while',
  },
  {
    what: 'what may have run is not sent again',
    find: 'const repeatable = !error.sent || isRepeatable(tool);',
    replace: 'const repeatable = true;',
    tests: reconnect,
    only: 'upstream.retry.sent',
  },
  {
    what: 'one line after the other to an upstream',
    find: 'const writing = this.#writing.then(() => this.#write(message));',
    replace: 'const writing = this.#write(message);',
    tests: ['test/upstream/child.test.ts'],
  },
  {
    what: 'what says that it does no harm is sent again',
    find: "(annotations['idempotentHint'] === true || annotations['readOnlyHint'] === true)",
    replace: "annotations['readOnlyHint'] === true",
    tests: reconnect,
    only: 'upstream.retry.idempotent',
  },
  {
    what: 'the lock',
    find: 'if (settings.gated && !(await by.activations.has(wire, name))) {',
    replace: 'if (settings.gated && name === "") {',
    tests: upstream,
    only: 'stdio.*upstream.locked',
  },
  {
    what: 'the phrase',
    find: 'if (!unlocked && settings.phrase !== undefined && phrase?.trim() !== settings.phrase.trim())',
    replace: 'if (!unlocked && settings.phrase !== undefined && phrase === undefined)',
    tests: upstream,
    only: 'upstream.activate.phrase',
  },
  {
    what: 'activate looks instead of remembering',
    find: 'const alive = before !== undefined && wasReady && (await link.check());',
    replace: 'const alive = before !== undefined && wasReady;',
    tests: reconnect,
    only: 'upstream.activate.verifies',
  },
  {
    what: 'the init script of a new connection',
    find: 'this.ready = this.settings.init === undefined;',
    replace: 'this.ready = true;',
    tests: reconnect,
    only: 'upstream.disconnected',
  },
  {
    what: 'an init script that fails',
    find: "if (result['isError'] === true) throw new Error(textOf(result));",
    replace: '',
    tests: reconnect,
    only: 'upstream.activate.init-fails',
  },
  {
    what: 'a gated upstream waits for activate',
    find: "if (link.settings.reconnect === 'manual') throw new Refused(link.cause ?? causes.notConnected, 'disconnected');",
    replace: '',
    tests: reconnect,
    only: 'upstream.disconnected',
  },
  {
    what: 'an activation that was not used for a day',
    find: 'if (Number.isNaN(used) || now - used >= unusedMs) {',
    replace: 'if (Number.isNaN(used)) {',
    tests: ['test/upstream/activation.test.ts'],
  },
];

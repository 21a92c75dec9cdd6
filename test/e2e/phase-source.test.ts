import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { type PromptApiFixture, promptApi } from '../fixtures/prompt-api.ts';
import { lastingPort } from '../setup/port.ts';
import { until } from '../setup/until.ts';
import { byHand } from '../setup/by-hand.ts';
import { databases } from '../setup/databases.ts';
import { personToken } from '../setup/person.ts';
import { requires } from './requirements.ts';
import { bind } from './story.ts';
import { type World, bin, inOneWorld, inTwoWorlds, makeWorld, node } from './world.ts';

const person = { SEKISHO_TOKEN: personToken };

function useApi(world: World, api: Pick<PromptApiFixture, 'url'>, more = ''): void {
  world.write(
    '.sekisho/config.yaml',
    `phases: { source: "${api.url}", apiKey: "\${env:PROMPT_KEY}", ${more} list: [alpha, beta, gamma, delta, epsilon, zeta, eta, theta] }\n`,
  );
}

/** For a millisecond, in which no other call comes. */
const short = { CACHE_TTL: '1' };

/** By a process of its own, which reads the configuration as it is now. */
const injectOnce = (world: World, phase: string, env: Readonly<Record<string, string>> = {}) =>
  world
    .cli(['phase', 'inject-phase-prompt', '--phase', phase, '--json'], { env: { PROMPT_KEY: 'secret', ...env } })
    .then((outcome) => outcome.json);

inTwoWorlds('prompts of the store', (test) => {
  test.beforeEach(({ world }) => world.write('.sekisho/config.yaml', 'phases: { source: store, list: [one, two] }\n'));

  test(requires('phase.source.store'), async ({ world }) => {
    const human = await world.client({ role: 'human' });
    const admin = (tool: string, input: object) => world.call(tool, input, human);
    const served = async () => (await world.call('inject_phase_prompt', { phase: 'one' })).value;
    expect((await served())['error'].code).toBe('PROMPT_NOT_FOUND');
    const first = await admin('publish_prompt', { prompt: 'one', content: '---\ntitle: First\n---\nA\nB\n' });
    expect(first.value).toMatchObject({
      prompt: 'one',
      version: 1,
      title: 'First',
      labels: ['production'],
      served: true,
    });
    await admin('publish_prompt', { prompt: 'one', content: 'A\nC\n', note: 'B became C' });
    await admin('publish_prompt', { prompt: 'one', content: 'A\nD\n', labels: ['staging'] });
    expect(await served()).toMatchObject({ prompt: 'A\nC\n', metadata: { version: 2, cached: false } });
    expect((await served())['metadata'].cached).toBe(true);
    expect((await admin('list_prompts', {})).value['prompts']).toEqual([
      { name: 'one', latest: 3, title: null, labels: { production: 2, staging: 3, latest: 3 } },
    ]);
    expect((await admin('diff_prompt', { prompt: 'one', from: 1, to: 2 })).value['diff']).toBe(
      '--- one version 1\n+++ one version 2\n@@ -1,2 +1,2 @@\n A\n-B\n+C\n',
    );
    await admin('label_prompt', { prompt: 'one', label: 'production', version: 3 });
    expect((await served())['metadata'].version).toBe(3);
    expect((await admin('roll_back_prompt', { prompt: 'one' })).value).toMatchObject({
      version: 2,
      previous_version: 3,
    });
    expect((await served())['prompt']).toBe('A\nC\n');
    expect((await admin('roll_back_prompt', { prompt: 'one', to: 1 })).value['version']).toBe(1);
    expect((await served())['metadata']).toMatchObject({ version: 1, title: 'First' });
    expect((await admin('roll_back_prompt', { prompt: 'one', to: 9 })).value['code']).toBe('LABEL_NOT_FOUND');
    await admin('withdraw_prompt', { prompt: 'one' });
    expect((await served())['error'].code).toBe('PROMPT_NOT_FOUND');
    const versions = (await admin('list_prompt_versions', { prompt: 'one', limit: 2 })).value;
    expect(versions['versions'].map((one: { version: number }) => one.version)).toEqual([3, 2]);
    expect(versions['next_cursor']).toBeDefined();
    expect((await admin('show_prompt', { prompt: 'one', version: 1 })).value['content']).toBe('A\nB\n');
    const agent = await world
      .call('publish_prompt', { prompt: 'one', content: 'x' })
      .catch((error: unknown) => String(error));
    expect(JSON.stringify(agent)).not.toContain('"version"');
  });

  test(requires('phase.source.store.race'), async ({ world }) => {
    const people = await Promise.all([world.client({ role: 'human' }), world.client({ role: 'human' })]);
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        world.call('publish_prompt', { prompt: 'two', content: `text ${index}` }, people[index % 2]),
      ),
    );
    expect(replies.map((one) => one.value['version']).toSorted()).toEqual([1, 2, 3, 4, 5, 6]);
    const late = await world.call('publish_prompt', { prompt: 'two', content: 'x', expected_version: 5 }, people[0]);
    expect(late.value).toMatchObject({ code: 'VERSION_CONFLICT', details: { current_version: 6 } });
  });
});

/** What a clause about a prompt API has: the API, and servers of ours that keep its texts for long or for a millisecond. */
interface Asking {
  readonly world: World;
  readonly api: PromptApiFixture;
  readonly inject: (phase: string) => Promise<Record<string, any>>;
  readonly injectStale: (phase: string) => Promise<Record<string, any>>;
}

describe.each(databases)('a prompt API as the source (%s)', (database) => {
  const { name, run } = bind<Asking>('its texts', (clause) => {
    clause(requires('phase.source.api'), async ({ world, api, inject, injectStale }) => {
      api.prompts['alpha'] = { version: 4, content: 'from afar', title: 'Alpha' };
      const first = await inject('alpha');
      expect(first).toMatchObject({ prompt: 'from afar', metadata: { version: 4, title: 'Alpha', cached: false } });
      expect(api.requests.at(-1)).toMatchObject({ path: '/prompts/alpha', headers: { 'x-api-key': 'secret' } });
      const seen = api.requests.length;
      const again = await inject('alpha');
      expect(again['metadata']).toMatchObject({ cached: true, fetchedAt: first['metadata'].fetchedAt });
      expect(api.requests.length).toBe(seen);
      const confirmed = await injectStale('alpha');
      expect(confirmed['metadata']).toMatchObject({ cached: true, fetchedAt: first['metadata'].fetchedAt });
      const last = () => api.requests.at(-1);
      await until('it was asked', () => last()?.status === 304);
      expect(last()).toMatchObject({ headers: { 'if-none-match': '"4"' } });
      api.prompts['alpha'] = { version: 5, content: 'changed' };
      const changed = await staleUntil(injectStale, 'alpha', ({ prompt }) => prompt === 'changed');
      expect(changed).toMatchObject({ metadata: { version: 5 } });
      useApi(world, api, 'auth: bearer,');
      await injectOnce(world, 'alpha', short);
      await until('it was asked with the other header', () => last()?.headers['authorization'] === 'Bearer secret');
      expect(last()?.headers['x-api-key']).toBeUndefined();
      useApi(world, api);
    });

    clause(requires('phase.source.api.stale'), async ({ api, injectStale }) => {
      api.prompts['gamma'] = { version: 1, content: 'old' };
      await injectStale('gamma');
      api.prompts['gamma'] = { version: 2, content: 'new' };
      const answer = api.hold();
      expect(await injectStale('gamma')).toMatchObject({ prompt: 'old', metadata: { cached: true } });
      // The answer that nobody waited for comes afterwards.
      answer();
      const found = await staleUntil(injectStale, 'gamma', ({ prompt }) => prompt === 'new');
      expect(found['metadata']).toMatchObject({ version: 2 });
    });

    clause(requires('phase.source.api.down'), async ({ world, api, inject, injectStale }) => {
      api.prompts['delta'] = { version: 1, content: 'kept' };
      await inject('delta');
      await api.stop();
      const stale = await staleUntil(injectStale, 'delta', ({ metadata }) => metadata.warning !== undefined);
      expect(stale).toMatchObject({ prompt: 'kept', metadata: { cached: true } });
      expect(stale['metadata'].warning).toContain('ECONNREFUSED');
      expect((await injectStale('delta'))['metadata'].warning).toContain(api.url);
      const none = await inject('zeta');
      const { reason } = none['error'].details;
      expect(none['error']).toEqual({
        code: 'CLOUD_API_ERROR',
        message: `Failed to fetch prompt from Cloud API: ${reason}`,
        details: { phase: 'zeta', url: api.url, reason: expect.stringContaining('ECONNREFUSED') },
      });
      await api.start();
      api.fail = 500;
      expect((await inject('zeta'))['error'].message).toContain('HTTP 500');
      api.fail = undefined;
      const wrongKey = await injectOnce(world, 'zeta', { PROMPT_KEY: 'wrong' });
      expect(wrongKey['message']).toContain('HTTP 401');
    });

    clause(requires('phase.source.api.gone'), async ({ api, inject, injectStale }) => {
      api.prompts['epsilon'] = { version: 1, content: 'for now' };
      await inject('epsilon');
      delete api.prompts['epsilon'];
      expect((await inject('epsilon'))['prompt']).toBe('for now');
      const gone = await staleUntil(injectStale, 'epsilon', ({ prompt }) => prompt === undefined);
      expect(gone['error'].code).toBe('PROMPT_NOT_FOUND');
      await api.stop();
      // It is evicted, not merely hidden: with the source down there is nothing to fall back on. By the clock of another
      // server the answer of a moment ago may still be one to this question.
      const down = async () => (await inject('epsilon'))['error']?.code === 'CLOUD_API_ERROR';
      await until('nothing is left of it', down);
      await api.start();
      api.prompts['epsilon'] = { version: 2, content: 'back' };
      expect((await inject('epsilon'))['prompt']).toBe('back');
    });

    clause(`${requires('phase.source.store.empty')} (a prompt API)`, async ({ api, inject, injectStale }) => {
      api.prompts['eta'] = { version: 1, content: ' \n' };
      expect((await inject('eta'))['error']).toMatchObject({ code: 'CLOUD_API_ERROR' });
      api.prompts['eta'] = { version: 2, content: 'Do it.' };
      expect((await inject('eta'))['prompt']).toBe('Do it.');
      api.prompts['eta'] = { version: 3, content: '' };
      const kept = await staleUntil(injectStale, 'eta', ({ metadata }) => metadata.warning !== undefined);
      expect(kept).toMatchObject({ prompt: 'Do it.', metadata: { version: 2 } });
      expect(kept['metadata'].warning).toContain('the prompt is empty');
    });

    clause(requires('phase.log'), async ({ world, api, injectStale }) => {
      api.prompts['theta'] = { version: 4, content: 'from afar' };
      const lines = async (level: string, ttl: string) => {
        const env = { PROMPT_KEY: 'secret', CACHE_TTL: ttl, LOG_LEVEL: level };
        const { stderr } = await world.cli(['phase', 'inject-phase-prompt', '--phase', 'theta', '--json'], { env });
        return stderr
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as object);
      };
      const called = (cached: boolean) => ({
        timestamp: expect.any(String),
        level: 'INFO',
        message: 'inject_phase_prompt called',
        phase: 'theta',
        cached,
      });
      const long = '86400000';
      expect(await lines('info', long)).toEqual([called(false)]);
      const hit = { timestamp: expect.any(String), level: 'DEBUG', message: 'Cache hit', phase: 'theta', version: 4 };
      expect(await lines('debug', long)).toEqual([hit, called(true)]);
      expect(await lines('1', long)).toEqual([]);
      expect(await lines('warn', '1')).toEqual([
        expect.objectContaining({ level: 'WARN', message: 'Prompt cache expired', age: expect.any(Number) }),
      ]);
      delete api.prompts['theta'];
      await staleUntil(injectStale, 'theta', ({ prompt }) => prompt === undefined);
      await api.stop();
      expect(await lines('error', '1')).toEqual([
        expect.objectContaining({ level: 'ERROR', message: 'Failed to fetch prompt', phase: 'theta' }),
      ]);
      await api.start();
    });

    clause(requires('phase.source.api.http'), async ({ world, api }) => {
      useApi(world, { url: 'http://prompts.example.invalid' });
      const refused = await injectOnce(world, 'alpha');
      expect(refused).toMatchObject({ code: 'CLOUD_API_ERROR' });
      expect(refused['message']).toContain('allowHttp');
      useApi(world, { url: 'http://prompts.example.invalid' }, 'allowHttp: true,');
      const allowed = await injectOnce(world, 'alpha');
      expect(allowed).toMatchObject({ code: 'CLOUD_API_ERROR' });
      expect(allowed['message']).not.toContain('allowHttp');
      useApi(world, api);
    });
  });

  inOneWorld('stdio', database, (base) => {
    const test = base.extend<{ api: PromptApiFixture }>({
      async api({ world }, use) {
        const api = await promptApi();
        useApi(world, api);
        await world.trusted();
        await use(api);
        await api.stop();
      },
    });

    test(
      name,
      async ({ world, api }) => {
        const asking = async (env: Readonly<Record<string, string>>) => {
          const client = await world.client({ env: { PROMPT_KEY: 'secret', ...env } });
          return async (phase: string) => (await world.call('inject_phase_prompt', { phase }, client)).value;
        };
        await run({ world, api, inject: await asking({}), injectStale: await asking(short) });
      },
      300_000,
    );

    test(
      requires('phase.source.api.once'),
      async ({ world, api }) => {
        api.prompts['beta'] = { version: 1, content: 'for everybody' };
        const answer = api.hold();
        const count = Number(process.env['SEKISHO_TEST_PROMPT_PROCESSES'] ?? 10);
        // Ten servers with ten calls each; or, where more are wanted, with one.
        const calls = count > 10 ? 1 : 10;
        const asking = Array.from({ length: count }, () => injectMany(world, 'beta', calls));
        // They begin together, as soon as all of them are there; and it is held back until one has asked and all have sent.
        await Promise.all(asking.map(({ ready }) => ready));
        for (const one of asking) one.go();
        await Promise.all(asking.map(({ sent }) => sent));
        await until('one asks', () => api.held > 0);
        answer();
        const answers = await Promise.all(asking.map(({ texts }) => texts));
        expect(answers.flat()).toEqual(Array.from({ length: count * calls }, () => 'for everybody'));
        expect(api.requests.filter((one) => one.path === '/prompts/beta').length).toBe(1);
      },
      300_000,
    );

    test(requires('phase.source.api.claim'), async ({ world, api }) => {
      api.prompts['zeta'] = { version: 1, content: 'at last' };
      const client = await world.client({ env: { PROMPT_KEY: 'secret' } });
      const look = () => world.call('get_phase_context', { phase: 'alpha' }, client);
      await look();
      const answer = api.hold();
      const asking = spawn(node, [bin, 'phase', 'inject-phase-prompt', '--phase', 'zeta'], {
        cwd: world.project,
        env: { ...world.env, PROMPT_KEY: 'secret' },
        stdio: 'ignore',
      });
      await until('it asks', () => api.held === 1);
      asking.kill('SIGKILL');
      // Another one waits for the answer that the dead one was promised, instead of asking too.
      const waiting = world.call('inject_phase_prompt', { phase: 'zeta' }, client);
      // By the time that it has answered so much else, it would have asked.
      for (let count = 0; count < 20; count++) await look();
      expect(api.held).toBe(1);
      // The claim of the dead one runs out.
      await byHand(world.db, `update prompt_cache set until = '2000-01-01T00:00:00.000Z' where name = 'zeta'`);
      await until('the other asks', () => api.held === 2);
      answer();
      expect((await waiting).value['prompt']).toBe('at last');
    });
  });
});

/**
 * A stale text is not held back for long: where the answer was late (half a second is much on a busy machine), it comes with
 * the next one.
 */
const staleUntil = (
  inject: Asking['injectStale'],
  phase: string,
  wanted: (found: Record<string, any>) => boolean,
): Promise<Record<string, any>> => until(`what is said of ${phase} now`, () => inject(phase), wanted);

interface Many {
  /** Its server is at work. */
  readonly ready: Promise<unknown>;
  go(): void;
  /** All its calls have been written to the server. */
  readonly sent: Promise<unknown>;
  readonly texts: Promise<readonly string[]>;
}

function injectMany(world: World, phase: string, calls: number): Many {
  const child = spawn(node, [join(import.meta.dirname, '../fixtures/inject-many.mjs'), bin, phase, String(calls)], {
    cwd: world.project,
    env: { ...world.env, PROMPT_KEY: 'secret' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ready = lines.next();
  const sent = ready.then(() => lines.next());
  const texts = sent.then(async () => JSON.parse((await lines.next()).value as string) as readonly string[]);
  return { ready, go: () => child.stdin.end(), sent, texts };
}

describe('two daemons', () => {
  test(
    requires('phase.daemon'),
    async () => {
      const server = await makeWorld('http', 'sqlite');
      const reader = await makeWorld('http', 'sqlite');
      try {
        server.write('.sekisho/config.yaml', 'phases: { source: store, list: [plan] }\n');
        const publish = (content: string) =>
          server.person(['phase', 'publish', 'plan', '--content', content, '--json']);
        await publish('Plan it.');
        const port = await lastingPort();
        const serving = await server.daemon(port);
        reader.write(
          '.sekisho/config.yaml',
          `phases: { source: "${serving.url}", apiKey: ${serving.token('agent')}, cacheTtl: 1, list: [plan] }\n`,
        );
        const ask = async () => (await reader.call('inject_phase_prompt', { phase: 'plan' })).value;
        expect(await ask()).toMatchObject({ prompt: 'Plan it.', metadata: { version: 1, cached: false } });
        await publish('Plan it twice.');
        await until('the other text', ask, ({ prompt }) => prompt === 'Plan it twice.');
        serving.process.kill('SIGKILL');
        await new Promise((done) => serving.process.once('exit', done));
        const warned = await until('a warning', ask, ({ metadata }) => metadata.warning !== undefined);
        expect(warned['metadata'].warning).toContain(serving.url);
        expect(warned['prompt']).toBe('Plan it twice.');
        await publish('Plan it again.');
        spawn(node, [bin, 'up', '--port', String(port), '--json'], {
          cwd: server.project,
          env: server.env,
          stdio: 'ignore',
        });
        // A source that failed is left alone for a while.
        const found = await until('the new text', ask, ({ prompt }) => prompt === 'Plan it again.');
        expect(found['metadata'].warning).toBeUndefined();
      } finally {
        await Promise.all([server.close(), reader.close()]);
      }
    },
    120_000,
  );
});

describe('the prompt API of the daemon', () => {
  inOneWorld('http', 'sqlite', (test) => {
    test.beforeEach(({ world }) =>
      world.write('.sekisho/config.yaml', 'phases: { source: store, list: [plan, build] }\n'),
    );

    test(requires('phase.daemon.access'), async ({ world }) => {
      const { url, token } = await world.daemon();
      const ask = (path: string, init: RequestInit & { as?: 'agent' | 'human' | 'key' } = {}) => {
        const { as, ...rest } = init;
        const shown: Record<string, string> =
          as === undefined
            ? {}
            : as === 'key'
              ? { 'X-API-Key': token('agent') }
              : { Authorization: `Bearer ${token(as)}` };
        return fetch(`${url}${path}`, { ...rest, headers: { ...shown, ...(rest.headers as Record<string, string>) } });
      };
      const put = (as: 'agent' | 'human' | undefined, body: string, headers: Record<string, string> = {}) =>
        ask('/prompts/plan', { method: 'PUT', body, headers, ...(as !== undefined && { as }) });
      expect((await put(undefined, '{}')).status).toBe(401);
      expect((await put('agent', JSON.stringify({ content: 'x' }))).status).toBe(403);
      const made = await put('human', '---\ntitle: Plan\n---\nPlan.\n', { 'Content-Type': 'text/markdown' });
      expect(made.status).toBe(201);
      expect(await made.json()).toMatchObject({ phase: 'plan', version: 1, title: 'Plan' });
      expect((await ask('/prompts/plan')).status).toBe(401);
      const read = await ask('/prompts/plan', { as: 'key' });
      const etag = read.headers.get('etag') ?? '';
      expect(await read.json()).toMatchObject({ phase: 'plan', version: 1, content: 'Plan.\n' });
      expect((await ask('/prompts/plan', { as: 'agent', headers: { 'If-None-Match': etag } })).status).toBe(304);
      expect(await (await ask('/prompts', { as: 'agent' })).json()).toMatchObject({
        prompts: [{ phase: 'plan', version: 1 }],
      });
      expect((await put('human', JSON.stringify({ content: 'Plan 2.' }), { 'If-Match': etag })).status).toBe(201);
      expect((await put('human', JSON.stringify({ content: 'Plan 3.' }), { 'If-Match': etag })).status).toBe(412);
      const diff = await (await ask('/prompts/plan/diff?from=1', { as: 'agent' })).json();
      expect((diff as { diff: string }).diff).toContain('-Plan.\n+Plan 2.');
      expect((await ask('/prompts/plan?version=1', { as: 'agent' })).status).toBe(200);
      const back = { method: 'PUT', body: JSON.stringify({ version: 1 }) };
      expect((await ask('/prompts/plan/labels/production', { ...back, as: 'agent' })).status).toBe(403);
      expect((await ask('/prompts/plan/labels/production', { ...back, as: 'human' })).status).toBe(200);
      expect(await (await ask('/prompts/plan', { as: 'agent' })).json()).toMatchObject({ version: 1 });
      expect((await ask('/prompts/plan/labels/production', { method: 'DELETE', as: 'human' })).status).toBe(204);
      expect((await ask('/prompts/plan', { as: 'agent' })).status).toBe(410);
      expect((await ask('/prompts/build', { as: 'agent' })).status).toBe(404);
      expect((await ask('/prompts/..%2fconfig', { as: 'agent' })).status).toBe(404);
      const versions = await (await ask('/prompts/plan/versions?limit=1', { as: 'agent' })).json();
      expect(versions).toMatchObject({ versions: [{ version: 2 }], nextCursor: expect.any(String) });
      for (const body of ['{', '[]', '{"content":1}', '{"content":"x","labels":["latest"]}'])
        expect((await put('human', body)).status, body).toBe(400);
    });
  });
});

describe('the command line', () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    test.beforeEach(({ world }) =>
      world.write('.sekisho/config.yaml', 'phases: { source: store, list: [plan, build] }\n'),
    );

    test(requires('phase.cli'), async ({ world }) => {
      const cli = (...args: readonly string[]) => world.person(['phase', ...args, '--json']);
      world.write('texts/plan.md', '---\ntitle: Plan\n---\nPlan.\n');
      expect((await cli('publish', 'plan', '--file', 'texts/plan.md')).json).toMatchObject({
        version: 1,
        title: 'Plan',
      });
      expect((await cli('publish', 'plan', '--content', 'Other.')).json['version']).toBe(2);
      expect((await cli('diff', 'plan', '1', '2')).json['diff']).toContain('+Other.');
      expect((await cli('rollback', 'plan')).json['version']).toBe(1);
      expect((await cli('label', 'plan', 'trial', '2')).json['label']).toBe('trial');
      expect((await cli('show', 'plan', '--label', 'trial')).json['content']).toBe('Other.');
      expect((await cli('versions', 'plan')).json['versions'].length).toBe(2);
      expect((await cli('prompts')).json['prompts'][0].labels).toEqual({ latest: 2, production: 1, trial: 2 });
      expect((await cli('withdraw', 'plan', '--label', 'trial')).code).toBe(0);
      const missing = await cli('show', 'plan', '--label', 'trial');
      expect([missing.code, missing.json['code']]).toEqual([1, 'LABEL_NOT_FOUND']);
      expect((await cli('publish', 'plan', '--file', '../outside.md')).json['code']).toBe('VALIDATION_ERROR');
      const agent = await world.cli(['phase', 'publish', 'plan', '--content', 'x', '--json']);
      expect([agent.code, agent.json['code']]).toEqual([1, 'FORBIDDEN']);
      expect((await world.cli(['phase', '--help'])).stdout).toContain('inject-phase-prompt');
    });

    test(requires('phase.cli.editor'), async ({ world }) => {
      const editor = join(world.project, 'editor.mjs');
      writeFileSync(
        editor,
        "import { readFileSync, writeFileSync } from 'node:fs';\nconst file = process.argv.at(-1);\nwriteFileSync(file, `${readFileSync(file, 'utf8')}Edited ${process.argv[2]}.\\n`);\n",
      );
      const edit = (words: string, args: readonly string[], env: Readonly<Record<string, string>> = person) =>
        world.cli(['phase', 'edit', ...args, '--json'], { env: { EDITOR: `${node} ${editor} ${words}`, ...env } });
      const agent = await edit('secretly', ['build'], {});
      expect([agent.code, agent.json['code']]).toEqual([1, 'FORBIDDEN']);
      expect((await edit('once', ['build'])).json).toMatchObject({ version: 1, published: true });
      expect((await edit('twice', ['build', '--note', 'more'])).json).toMatchObject({ version: 2 });
      const { value } = await world.call('inject_phase_prompt', { phase: 'build' });
      expect(value['prompt']).toBe('Edited once.\nEdited twice.\n');
      const nothing = await world.person(['phase', 'edit', 'build', '--json'], { env: { EDITOR: 'true' } });
      expect(nothing.json).toMatchObject({ version: 2, published: false });
      const failed = await world.person(['phase', 'edit', 'build', '--json'], { env: { EDITOR: 'false' } });
      expect(failed.code).toBe(1);
      world.write('.sekisho/config.yaml', 'phases: { source: own, list: [plan] }\n');
      world.write('own/plan.md', 'Mine.\n');
      expect((await edit('here', ['plan'])).json['file']).toBe(join(world.project, 'own/plan.md'));
      expect((await injectOnce(world, 'plan'))['prompt']).toBe('Mine.\nEdited here.\n');
      expect(existsSync(join(world.project, 'own/plan.md'))).toBe(true);
    });
  });
});

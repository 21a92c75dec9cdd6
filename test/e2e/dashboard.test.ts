import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { loadCatalogue } from '../../src/app/catalogue.ts';
import { userName } from '../../src/config/load.ts';
import { until } from '../setup/until.ts';
import {
  type ApiReply,
  asJson,
  callApi,
  cookieIn,
  makeLink,
  makeWaiting,
  openStream,
  send,
  signIn,
  signInWith,
} from './dashboard-world.ts';
import { requires } from './requirements.ts';
import { story } from './story.ts';
import { atTerminal } from './terminal.ts';
import { type World, inOneWorld } from './world.ts';

const at = ({ project }: World) => `project=${encodeURIComponent(project)}`;

inOneWorld('http', 'sqlite', (test) => {
  story(test, 'people come in', (clause) => {
    clause(requires('dashboard.link'), async ({ world }) => {
      await world.daemon();
      const link = await makeLink(world);
      expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/open#[\w-]{32}$/);
      const first = await signInWith(link);
      expect(first.status).toBe(200);
      expect(String(first.headers['set-cookie'])).toMatch(
        /^sekisho-\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=604800$/,
      );
      const second = await signInWith(link);
      expect(second.status).toBe(401);
      expect(second.body).toMatchObject({ code: 'LINK_SPENT' });
      // An agent, with its token or without, has no terminal to show.
      const { token } = await world.daemon();
      for (const env of [{}, { SEKISHO_TOKEN: token('agent') }, { CLAUDECODE: '1' }])
        expect((await world.cli(['open', '--print'], { env })).stdout).not.toContain('#');
      // Nothing of it lies about.
      const state = readFileSync(world.place.data.userDatabase).toString('latin1');
      expect(state).not.toContain(new URL(link).hash.slice(1));
      expect(state).not.toContain(cookieIn(first.headers).split('=')[1]);
    });

    clause(requires('dashboard.both-secrets'), async ({ world }) => {
      const me = await signIn(world);
      const attempt = (headers: Readonly<Record<string, string>>) =>
        send(`${me.url}/api/get_session`, { method: 'POST', headers: { ...asJson, ...headers }, body: '{}' });
      expect((await attempt({ Cookie: me.cookie, 'Sekisho-Key': me.key })).body).toMatchObject({
        identity: `os:${userName()}`,
      });
      const wrong: readonly Readonly<Record<string, string>>[] = [
        {},
        { Cookie: me.cookie },
        { 'Sekisho-Key': me.key },
        { Cookie: me.cookie, 'Sekisho-Key': 'x' },
        { Cookie: `${me.cookie}x`, 'Sekisho-Key': me.key },
        { Authorization: `Bearer ${me.key}` },
        { Authorization: `Bearer ${me.cookie.split('=')[1]}` },
      ];
      for (const headers of wrong) {
        const { status, body } = await attempt(headers);
        expect([status, body['code']], JSON.stringify(headers)).toEqual([401, 'SIGN_IN_NEEDED']);
      }
      // The cookie is the dashboard's alone.
      for (const path of ['/mcp', '/hook/claude', '/prompts/phase0'])
        expect(
          (await send(`${me.url}${path}`, { method: 'POST', headers: { Cookie: me.cookie, 'Sekisho-Key': me.key } }))
            .status,
          path,
        ).toBeOneOf([401, 405]);
      const socket = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
      const opening = { ...socket, 'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==', Cookie: me.cookie };
      expect((await send(`${me.url}/ws`, { headers: { ...opening, 'Sekisho-Key': me.key } })).status).toBe(401);
    });

    clause(requires('dashboard.origin'), async ({ world }) => {
      const me = await signIn(world);
      const { host, port } = new URL(me.url);
      const tries: readonly [Readonly<Record<string, string>>, number][] = [
        [{ Origin: me.url, 'Sec-Fetch-Site': 'same-origin' }, 200],
        [{ Origin: `http://127.0.0.1:${Number(port) + 1}` }, 403],
        [{ Origin: `https://${host}` }, 403],
        [{ Origin: 'null' }, 403],
        [{ 'Sec-Fetch-Site': 'same-site' }, 403],
        [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
        [{ 'Sec-Fetch-Site': 'none' }, 403],
        [{ Host: `evil.example:${port}` }, 403],
        [{ 'Content-Type': 'text/plain' }, 400],
        [{ 'Content-Type': 'application/x-www-form-urlencoded' }, 400],
      ];
      for (const [headers, status] of tries)
        expect((await callApi(me, 'get_session', {}, headers)).status, JSON.stringify(headers)).toBe(status);
    });

    clause(requires('dashboard.headers'), async ({ world }) => {
      const me = await signIn(world);
      const page = await send(`${me.url}/runs/run-1`, { headers: { Accept: 'text/html' } });
      const api = await callApi(me, 'get_session');
      for (const { headers } of [page, api]) {
        expect(String(headers['content-security-policy'])).toContain("default-src 'none'");
        expect(String(headers['content-security-policy'])).not.toContain('unsafe');
        expect(headers).toMatchObject({
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-resource-policy': 'same-origin',
        });
        expect(Object.keys(headers).filter((one) => one.startsWith('access-control'))).toEqual([]);
      }
      expect(api.headers['cache-control']).toBe('no-store');
      expect(page.status).toBe(200);
      for (const path of ['/assets/%2e%2e/cli.cjs', '/assets/..%2fcli.cjs', '/cli.cjs', '/../cli.cjs'])
        expect(
          (await send(me.url + path, { headers: { Accept: 'text/html' } })).body['text'] ?? '',
          path,
        ).not.toContain('use strict');
      for (const path of ['/assets/none.js', '/assets/..%2fcli.cjs', '/mcp/x', '/api/x'])
        expect((await send(me.url + path, { headers: { Accept: 'text/html' } })).status, path).toBeOneOf([401, 404]);
    });

    clause(requires('dashboard.sessions'), async ({ world }) => {
      const [one, other] = [await signIn(world), await signIn(world)];
      const stream = openStream(other, world.project);
      expect(await stream.status).toBe(200);
      const { body } = await callApi(one, 'list_sessions');
      const mine = (body['sessions'] as { id: string; is_this: boolean }[]).filter((session) => session.is_this);
      expect(mine).toHaveLength(1);
      const listed = await world.person(['session', 'list', '--json']);
      expect(listed.json['sessions'].map((session: { id: string }) => session.id)).toContain(mine[0]?.id);
      const id = (await callApi(other, 'get_session')).body['session'] as string;
      expect((await callApi(one, 'revoke_session', { id })).body).toEqual({ revoked: id });
      expect((await callApi(other, 'get_session')).status).toBe(401);
      // Its stream ends with the next thing that would have been told.
      const { value } = await world.call('state_gate.create_run', { process_id: 'exploration' });
      await stream.ended;
      expect(stream.events.filter((event) => event.data['subject'] === value['run_id'])).toEqual([]);
      const out = await callApi(one, 'sign_out');
      expect(String(out.headers['set-cookie'])).toContain('Max-Age=0');
      expect((await callApi(one, 'get_session')).status).toBe(401);
      const third = await signIn(world);
      expect((await world.person(['session', 'revoke', '--all', '--json'])).json['revoked']).toBeGreaterThan(0);
      expect((await callApi(third, 'get_session')).status).toBe(401);
      expect((await callApi(third, 'revoke_session', { id: 'x' })).status).toBe(401);
    });
  });

  test(requires('dashboard.public'), async ({ world }) => {
    world.write('.sekisho/config.yaml', 'http: { publicUrl: "https://Sekisho.test/" }\n');
    const { url, token } = await world.daemon();
    const outside = { Host: 'sekisho.test', 'X-Forwarded-Proto': 'https', Origin: 'https://sekisho.test' };
    const link = await makeLink(world);
    expect(link).toMatch(/^https:\/\/sekisho\.test\/open#[\w-]{32}$/);
    // Over plain HTTP not even the code is looked at.
    const post = (path: string, body: object, headers: Readonly<Record<string, string>>) =>
      send(`${url}/api/${path}`, { method: 'POST', headers: { ...asJson, ...headers }, body: JSON.stringify(body) });
    const code = new URL(link).hash.slice(1);
    const wrong: readonly Readonly<Record<string, string>>[] = [
      { 'X-Forwarded-Proto': 'http' },
      { 'X-Forwarded-Proto': '' },
      { 'X-Forwarded-Proto': 'https, http' },
      { Origin: 'http://sekisho.test' },
      { Origin: url },
      { Host: 'sekisho.test:9696' },
      { Host: 'other.sekisho.test' },
      { Host: new URL(url).host },
    ];
    for (const headers of wrong)
      expect((await post('sign_in', { code }, { ...outside, ...headers })).status, JSON.stringify(headers)).toBe(403);
    const { Origin: _, ...program } = outside;
    const bearer = { Authorization: `Bearer ${token('human')}` };
    expect((await post('list_roots', {}, { ...program, ...bearer })).status).toBe(200);
    expect((await post('list_roots', {}, { ...bearer, Host: outside.Host })).status).toBe(403);

    const { headers, body } = await post('sign_in', { code }, outside);
    expect(String(headers['set-cookie'])).toMatch(
      /^__Host-sekisho-443=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=604800; Secure$/,
    );
    const held = { Cookie: cookieIn(headers), 'Sekisho-Key': String(body['key']) };
    expect((await post('get_session', {}, { ...outside, ...held })).status).toBe(200);
    expect((await send(url, { headers: { ...program, Accept: 'text/html' } })).status).toBe(200);
    // Without TLS that cookie is none, and on loopback all is as it was.
    expect((await post('get_session', {}, held)).status).toBe(401);
    const local = await signInWith((await makeLink(world)).replace('https://sekisho.test', url));
    expect(String(local.headers['set-cookie'])).toMatch(
      /^sekisho-\d+=[^;]+; HttpOnly; SameSite=Strict; Path=\/; Max-Age=\d+$/,
    );
    const out = await post('sign_out', {}, { ...outside, ...held });
    expect(String(out.headers['set-cookie'])).toMatch(/^__Host-sekisho-443=; .*Max-Age=0; Secure$/);
    expect((await post('get_session', {}, { ...outside, ...held })).status).toBe(401);
    // Nothing but an address of its own, over TLS.
    for (const given of ['http://sekisho.test', 'https://sekisho.test/below', 'https://a@sekisho.test', 'sekisho.test'])
      expect(
        (await world.cli(['gate', 'list-runs'], { env: { SEKISHO_HTTP_PUBLIC_URL: given } })).stderr,
        given,
      ).toContain(given);
  });

  story(test, 'the API is the operations', (clause) => {
    clause(requires('dashboard.api'), async ({ world }) => {
      const run = await makeWaiting(world);
      const me = await signIn(world);
      const roots = await callApi(me, 'list_roots');
      expect(roots.body['roots']).toContainEqual({ path: world.project, name: 'project' });
      const listed = await callApi(me, `list_waiting?${at(world)}`);
      expect(listed.body['waiting']).toMatchObject([{ run_id: run, events: ['approve', 'reject'] }]);
      const described = await callApi(me, `describe_run?${at(world)}`, { run_id: run });
      expect(described.body).toMatchObject({
        current_state: 'review',
        answers: ['approve', 'reject'],
        visits: [
          { state: 'write', by_event: null },
          { state: 'review', by_event: 'submit', left_at: null },
        ],
        artifacts: [{ path: 'note.md', version: 1, is_kept: true, is_unchanged: true }],
        ways: expect.arrayContaining([expect.objectContaining({ event: 'approve', is_yours: true })]),
      });
      const evidence = await callApi(me, `read_evidence?${at(world)}`, { run_id: run, path: 'note.md' });
      expect(evidence.body).toMatchObject({ text: 'The note.\n', media_type: 'text/plain', version: 1 });
      // A tick that cannot turn red says nothing.
      writeFileSync(join(world.project, 'note.md'), 'Another note.\n');
      const changed = await callApi(me, `describe_run?${at(world)}`, { run_id: run });
      expect(changed.body['artifacts'][0]).toMatchObject({ is_unchanged: false });
      const working = await callApi(me, `read_evidence?${at(world)}`, {
        run_id: run,
        path: 'note.md',
        version: 'working',
      });
      expect(working.body).toMatchObject({ text: 'Another note.\n', version: null });
      const outside = { run_id: run, path: '../../../etc/hostname', version: 'working' };
      expect((await callApi(me, `read_evidence?${at(world)}`, outside)).body).toMatchObject({
        text: null,
        digest: null,
      });
      const journal = await callApi(me, `list_journal?${at(world)}`, { subject: run, kind: 'run.' });
      expect(journal.body['entries'].map((one: { kind: string }) => one.kind)).toEqual(['run.event', 'run.created']);
      expect((await callApi(me, `list_journal?${at(world)}`, { text: 'NOTE.md' })).body['entries']).not.toEqual([]);
      expect((await callApi(me, `list_journal?${at(world)}`, { actor: '%' })).body['entries']).toEqual([]);
      expect((await callApi(me, `verify_journal?${at(world)}`)).body).toMatchObject({ ok: true, faults: [] });
      // Programs come with a person's token; an agent's is refused.
      const { url, token } = await world.daemon();
      const by = (role: 'agent' | 'human') =>
        send(`${url}/api/list_waiting?${at(world)}`, {
          method: 'POST',
          headers: { ...asJson, Authorization: `Bearer ${token(role)}` },
        });
      expect((await by('human')).status).toBe(200);
      expect((await by('agent')).status).toBe(403);
    });

    clause(requires('dashboard.api.openapi'), async ({ world }) => {
      const run = await makeWaiting(world);
      const me = await signIn(world);
      const read = await send(`${me.url}/api/openapi.json`, { headers: { Cookie: me.cookie, 'Sekisho-Key': me.key } });
      const document = read.body;
      expect(document).toMatchObject({ openapi: '3.1.0', security: [{ token: [] }] });
      const kept = join(import.meta.dirname, '../../docs/reference/openapi.json');
      expect(document).toEqual(JSON.parse(readFileSync(kept, 'utf8')));
      expect((await send(`${me.url}/api/openapi.json`)).status).toBe(401);
      const ajv = new Ajv2020({ strict: false, validateFormats: false });
      ajv.addSchema(document, 'openapi');
      const fits = (name: string, { status, body }: Pick<ApiReply, 'status' | 'body'>) => {
        const at = (...path: readonly string[]) =>
          `openapi#/${path.map((one) => one.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
        const answer = at('paths', `/api/${name}`, 'post', 'responses', '200', 'content', 'application/json', 'schema');
        const validate = ajv.getSchema(status === 200 ? answer : at('components', 'schemas', 'Failure'));
        return validate?.(body) === true ? true : [name, status, validate?.errors ?? 'no schema'];
      };
      // Every operation that reads, with nothing given: it answers, or says what is missing, as described.
      const names = Object.entries(document['paths'] as Record<string, { post?: { operationId: string } }>).flatMap(
        ([, { post }]) => post?.operationId ?? [],
      );
      const { operations } = await loadCatalogue();
      const reading = operations.filter(({ effect }) => effect === 'read').map(({ name }) => name);
      expect(names.toSorted()).toEqual(['list_roots', ...operations.map(({ name }) => name)].toSorted());
      const tries: readonly (readonly [string, object?, string?])[] = [
        ['list_roots'],
        ...reading.map((name) => [name] as const),
        ...['describe_run', 'state_gate.get_history'].map((name) => [name, { run_id: run }] as const),
        ['read_evidence', { run_id: run, path: 'note.md' }],
        ['approve', { run_id: run }, '&ask'],
        ['approve', { run_id: run }],
        ['approve', { run_id: run }],
      ];
      let done = 0;
      for (const [name, input = {}, more = ''] of tries) {
        const answer = await callApi(me, `${name}?${at(world)}${more}`, input);
        expect(fits(name, answer)).toBe(true);
        if (answer.status === 200) done += 1;
      }
      expect(done).toBeGreaterThan(15);
      expect(fits('list_roots', { status: 200, body: { roots: [{ path: 1 }] } })).not.toBe(true);
      expect(fits('list_roots', { status: 400, body: { error: 'x' } })).not.toBe(true);
    });

    clause(requires('dashboard.api.ask'), async ({ world }) => {
      const run = await makeWaiting(world);
      const me = await signIn(world);
      const asked = await callApi(me, `approve?${at(world)}&ask`, { run_id: run });
      expect(asked.body['text']).toContain('note.md');
      expect(asked.body['input']).toMatchObject({ run_id: run, expected_revision: 1, evidence: [{ path: 'note.md' }] });
      const before = await callApi(me, `describe_run?${at(world)}`, { run_id: run });
      expect(before.body['revision']).toBe(1);
      const [first, second] = await Promise.all(
        [1, 2].map(() => callApi(me, `approve?${at(world)}`, asked.body['input'] as object)),
      );
      expect([first?.status, second?.status].toSorted()).toEqual([200, 409]);
      const lost = first?.status === 409 ? first : second;
      expect(lost?.body['code']).toBeOneOf(['REVISION_CONFLICT', 'INVALID_EVENT']);
      const { value } = await world.call('state_gate.get_history', { run_id: run });
      expect(value['events'].at(-1)).toMatchObject({
        event_name: 'approve',
        actor: `os:${userName()}`,
        to_state: 'done',
      });
    });

    clause(requires('dashboard.api.failures'), async ({ world }) => {
      const me = await signIn(world);
      const tries: readonly [string, object, number, string][] = [
        [`describe_run?${at(world)}`, { run_id: 'run-none' }, 404, 'RUN_NOT_FOUND'],
        [`describe_run?${at(world)}`, { run: 1 }, 400, 'VALIDATION_ERROR'],
        [`describe_run?${at(world)}`, { run_id: '\u0000' }, 400, 'VALIDATION_ERROR'],
        [`nothing?${at(world)}`, {}, 404, 'UNKNOWN_OPERATION'],
        ['list_waiting', {}, 400, 'ROOT_NEEDED'],
        ['list_waiting?project=/none', {}, 404, 'ROOT_NOT_FOUND'],
        [`constructor?${at(world)}`, {}, 404, 'UNKNOWN_OPERATION'],
        [`state_gate.get_state?${at(world)}`, { run_id: 'run-none' }, 404, 'RUN_NOT_FOUND'],
      ];
      for (const [address, input, status, code] of tries) {
        const answer = await callApi(me, address, input);
        expect([answer.status, answer.body['code']], address).toEqual([status, code]);
        expect(Object.keys(answer.body).filter((one) => !['code', 'message', 'details'].includes(one))).toEqual([]);
      }
      const japanese = await callApi(
        me,
        `describe_run?${at(world)}`,
        { run_id: 'run-none' },
        { 'Accept-Language': 'ja,en;q=0.5' },
      );
      expect(japanese.body['message']).toMatch(/[ぁ-ん]/);
      expect(
        (await send(`${me.url}/api/list_waiting`, { headers: { Cookie: me.cookie, 'Sekisho-Key': me.key } })).status,
      ).toBe(405);
    });

    clause(requires('dashboard.api.stream'), async ({ world }) => {
      const me = await signIn(world);
      const stream = openStream(me, world.project);
      expect(await stream.status).toBe(200);
      await until('it is ready', () => stream.events.some((one) => one.event === 'ready'));
      const other = join(world.project, '../other-project');
      await world.cli(['gate', 'create-run', '--process-id', 'exploration', '--project', other, '--json']);
      const { value } = await world.call('state_gate.create_run', { process_id: 'exploration' });
      const told = () => stream.events.filter((one) => one.event === 'message');
      await until('the run is told', () => told().some((one) => one.data['subject'] === value['run_id']));
      expect(Object.keys(told()[0]?.data ?? {}).toSorted()).toEqual(['actor', 'at', 'kind', 'seq', 'subject']);
      const last = told().at(-1)?.id ?? '';
      stream.close();
      const next = await world.call('state_gate.create_run', { process_id: 'exploration' });
      const resumed = openStream(me, world.project, { 'Last-Event-ID': last });
      await until('what was missed is told', () =>
        resumed.events.some((one) => one.data['subject'] === next.value['run_id']),
      );
      expect(resumed.events.some((one) => one.data['subject'] === value['run_id'])).toBe(false);
      resumed.close();
      for (const id of ['000000000000-1', 'nonsense', last.replace(/\d+$/, '99999')]) {
        const lost = openStream(me, world.project, { 'Last-Event-ID': id });
        await until('it begins anew', () => lost.events.some((one) => one.event === 'reset'));
        lost.close();
      }
      expect(await openStream({ ...me, key: 'x' }, world.project).status).toBe(401);
    });
  });

  test(requires('dashboard.people'), async ({ world }) => {
    await world.person(['admin', 'add-person', 'ann', '--json']);
    const ann = await signIn(world, ['--person', 'ann']);
    const me = await signIn(world);
    expect((await callApi(ann, 'get_session')).body).toMatchObject({ identity: 'person:ann', name: 'ann' });
    const run = await makeWaiting(world);
    const { body } = await callApi(ann, `approve?${at(world)}&ask`, { run_id: run });
    expect((await callApi(ann, `approve?${at(world)}`, body['input'] as object)).status).toBe(200);
    const { body: described } = await callApi(me, `state_gate.get_history?${at(world)}`, { run_id: run });
    expect(described['events'].at(-1)).toMatchObject({ actor: 'person:ann' });
    const none = await world.person(['open', '--print', '--person', 'nobody']);
    expect(none.stderr).toContain('nobody');
  });

  test(requires('dashboard.daemon'), async ({ world }) => {
    const up = await world.cli(['up', '--background', '--port', '0', '--json']);
    expect(up.json).toMatchObject({ started: true, url: expect.stringMatching(/^http/) as string });
    expect((await world.cli(['up', '--background', '--json'])).json).toMatchObject({
      started: false,
      url: up.json['url'],
    });
    expect(existsSync(String(up.json['log']))).toBe(true);
    // `open` uses the one that runs, also at a terminal, where it is said who asks.
    const shown = await atTerminal(world, ['open', '--print']);
    expect(shown.text).toContain(String(up.json['url']));
    expect((await fetch(`${up.json['url']}/health`)).status).toBe(200);
    expect((await world.cli(['down', '--json'])).json).toEqual({ stopped: true });
    expect((await world.cli(['down', '--json'])).json).toEqual({ stopped: false });
    await expect(fetch(`${up.json['url']}/health`)).rejects.toThrow();
  });
});

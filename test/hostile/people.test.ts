import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { openFoundStore } from '../../src/store/open-found.ts';
import { personToken } from '../setup/person.ts';
import { byHand } from '../setup/by-hand.ts';
import { databases } from '../setup/databases.ts';
import { atTerminal } from '../e2e/terminal.ts';
import { type World, bin, inOneWorld, node } from '../e2e/world.ts';
import { row } from '../setup/security.ts';
import { until } from '../setup/until.ts';

/** A person decides here, and nobody but a lead. */
const led = `id: led
version: "1"
initial_state: a
states: [{ name: a }, { name: b, is_final: true }]
events: [{ name: approve, allowed_roles: [lead] }, { name: test, allowed_roles: [tester, agent] }]
transitions: [{ from: a, event: approve, to: b, guard: led }, { from: a, event: test, to: a }]
guards: { led: { type: approval, role: lead } }
roles: [{ name: lead, can_approve: true }, { name: tester, kind: agent }, { name: agent }]
`;

async function begin(world: World): Promise<string> {
  world.write('.sekisho/processes/led.yaml', led);
  const { value } = await world.call('state_gate.create_run', { process_id: 'led' });
  return String(value['run_id']);
}

const emitLine = (run: string, event = 'approve', key = 'k') =>
  `gate emit-event --run-id ${run} --event-name ${event} --expected-revision 0 --idempotency-key ${key} --json`.split(
    ' ',
  );

const revisionOf = async (world: World, run: string) =>
  (await world.call('state_gate.get_state', { run_id: run })).value['revision'] as number;

/** What an agent can say of itself on the command line: nothing of it is proof. */
const claims: readonly {
  readonly title: string;
  readonly args?: readonly string[];
  readonly env?: (world: World) => Readonly<Record<string, string>>;
}[] = [
  { title: '--role lead', args: ['--role', 'lead'] },
  { title: '--role human', args: ['--role', 'human'] },
  { title: '--role reviewer', args: ['--role', 'reviewer'] },
  { title: '--role system', args: ['--role', 'system'] },
  { title: '--role runner', args: ['--role', 'runner'] },
  { title: 'a role that nobody has heard of', args: ['--role', 'root'] },
  { title: 'SEKISHO_ROLE', env: () => ({ SEKISHO_ROLE: 'lead' }) },
  { title: 'a token that it made up', args: ['--role', 'lead'], env: () => ({ SEKISHO_TOKEN: 'x'.repeat(40) }) },
  {
    title: 'SEKISHO_PERSON_TOKEN after the first start',
    args: ['--role', 'lead'],
    env: () => ({ SEKISHO_PERSON_TOKEN: 'y'.repeat(40), SEKISHO_TOKEN: 'y'.repeat(40) }),
  },
  {
    title: 'a person’s token, where an agent CLI has marked the environment',
    args: ['--role', 'lead'],
    env: () => ({ SEKISHO_TOKEN: personToken, CLAUDECODE: '1' }),
  },
  {
    title: 'a person’s token, started by our own host',
    args: ['--role', 'lead'],
    env: () => ({ SEKISHO_TOKEN: personToken, SEKISHO_AGENT_ID: 'impl-code-1-abcd' }),
  },
  {
    title: 'a file of variables that empties the mark',
    args: ['--role', 'lead'],
    env: (world) => {
      const path = join(world.project, 'variables.json');
      writeFileSync(path, JSON.stringify({ CLAUDECODE: '', SEKISHO_TOKEN: personToken }));
      return { CLAUDECODE: '1', SEKISHO_ENV_FILE: path };
    },
  },
  {
    title: 'a file of variables that nulls the mark',
    args: ['--role', 'lead'],
    env: (world) => {
      const path = join(world.project, 'variables.json');
      writeFileSync(path, JSON.stringify({ CODEX_SANDBOX: null, SEKISHO_TOKEN: personToken }));
      return { CODEX_SANDBOX: 'x', SEKISHO_ENV_FILE: path };
    },
  },
];

/** What only a person may do. */
const personal: readonly (readonly string[])[] = [
  ['admin', 'approve', '--run-id', 'RUN'],
  ['admin', 'reject', '--run-id', 'RUN'],
  ['admin', 'use-run', '--run-id', 'RUN'],
  ['admin', 'create-project', '--name', 'x'],
  ['admin', 'add-person', 'eve'],
  ['admin', 'remove-person', 'ann'],
  ['admin', 'admit', 'a'.repeat(20)],
  ['gate', 'use', 'RUN'],
  ['trust'],
  ['token', 'create'],
  ['token', 'list'],
  ['token', 'revoke', 'abc'],
  ['work', 'import', '-'],
];

describe('an agent at the command line', () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    test(`${row('people.claim', 'people.mark')} is no person by anything that it says of itself`, async ({ world }) => {
      const run = await begin(world);
      for (const [index, { title, args = [], env }] of claims.entries()) {
        const line = [...emitLine(run, 'approve', `k${index}`), ...args];
        const { code, json, stdout, stderr } = await world.cli(line, { env: env?.(world) ?? {} });
        expect([title, code, json['code']], stdout + stderr).toEqual([title, 1, 'FORBIDDEN']);
        expect([title, await revisionOf(world, run)]).toEqual([title, 0]);
      }
    });

    test(`${row('people.claim')} does nothing that is a person’s`, async ({ world }) => {
      const run = await begin(world);
      for (const line of personal)
        for (const claim of [[], ['--role', 'human']]) {
          const args = [...line.map((word) => (word === 'RUN' ? run : word)), ...claim];
          const { code, stdout, stderr } = await world.cli(args);
          expect([args.join(' '), code, /FORBIDDEN|person|"human"/.test(stdout + stderr)]).toEqual([
            args.join(' '),
            1,
            true,
          ]);
        }
      expect((await world.call('state_gate.get_state', { run_id: run })).value['current_state']).toBe('a');
    });

    test(`${row('people.own-role')} may have a role that a process leaves to agents, in that process`, async ({
      world,
    }) => {
      const run = await begin(world);
      const test = () => world.cli([...emitLine(run, 'test'), '--role', 'tester']);
      expect((await test()).json).toMatchObject({ code: 'FORBIDDEN' });
      // Once a person has seen it.
      await world.person(['trust', '--json']);
      expect((await test()).json).toMatchObject({ success: true });
      // Another process takes the same role for a person's.
      world.write(
        '.sekisho/processes/other.yaml',
        'id: other\nversion: "1"\ninitial_state: a\nstates: [{ name: a }, { name: b, is_final: true }]\nevents: [{ name: go, allowed_roles: [tester] }]\ntransitions: [{ from: a, event: go, to: b }]\n',
      );
      const other = (await world.call('state_gate.create_run', { process_id: 'other' })).value['run_id'] as string;
      const posing = await world.cli([...emitLine(other, 'go'), '--role', 'tester']);
      expect(posing.json).toMatchObject({ code: 'FORBIDDEN' });
    });

    test(`${row('people.own-role')} cannot leave to itself, in a definition of its own, a role that decides elsewhere`, async ({
      world,
    }) => {
      const run = await begin(world);
      world.write(
        '.sekisho/processes/mine.yaml',
        'id: mine\nversion: "1"\ninitial_state: a\nstates: [{ name: a, is_final: true }]\nevents: []\ntransitions: []\nroles: [{ name: lead, kind: agent }]\n',
      );
      const { json } = await world.cli([...emitLine(run), '--role', 'lead']);
      expect(json).toMatchObject({ code: 'FORBIDDEN' });
    });

    test(`${row('people.own-role')} is counted by no approval guard, whatever role that names`, async ({ world }) => {
      world.write(
        '.sekisho/processes/anybody.yaml',
        'id: anybody\nversion: "1"\ninitial_state: a\nstates: [{ name: a }, { name: b, is_final: true }]\nevents: [{ name: approve }]\ntransitions: [{ from: a, event: approve, to: b, guard: yes }]\nguards: { yes: { type: approval } }\n',
      );
      const run = (await world.call('state_gate.create_run', { process_id: 'anybody' })).value['run_id'] as string;
      expect((await world.cli(emitLine(run))).json).toMatchObject({ code: 'GUARD_FAILED' });
      expect((await world.person(emitLine(run))).json).toMatchObject({ success: true });
    });
  });
});

describe('an agent over MCP', () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    const ways = [
      { title: '--role human', args: ['--role', 'human'] },
      { title: '--role lead', args: ['--role', 'lead'] },
      { title: '--role lead with a person’s token', args: ['--role', 'lead'], env: { SEKISHO_TOKEN: personToken } },
      { title: 'SEKISHO_ROLE', env: { SEKISHO_ROLE: 'reviewer' } },
    ];
    test(`${row('people.header')} is no person over stdio by anything that it says of itself`, async ({ world }) => {
      const run = await begin(world);
      for (const { title, args = [], env = {} } of ways)
        for (const name of ['claude-code', 'nobody-knows-me']) {
          const client = await world.client({ args, env, name });
          expect(
            (await client.listTools()).tools.map((one) => one.name),
            title,
          ).not.toContain('approve');
          const input = {
            run_id: run,
            event_name: 'approve',
            expected_revision: 0,
            idempotency_key: `${title} ${name}`,
          };
          const { value } = await world.call('state_gate.emit_event', input, client);
          expect([title, value['error'].code]).toEqual([title, 'FORBIDDEN']);
          await client.close();
        }
    });

    test(`${row('people.mark')} is an agent where its client inherited a person’s token`, async ({ world }) => {
      const run = await begin(world);
      const client = await world.client({ env: { SEKISHO_TOKEN: personToken } });
      expect((await client.listTools()).tools.map((one) => one.name)).not.toContain('approve');
      const input = { run_id: run, event_name: 'test', expected_revision: 0, idempotency_key: 'k' };
      expect((await world.call('state_gate.emit_event', input, client)).isError).toBe(false);
      const { value } = await world.call('state_gate.get_history', { run_id: run }, client);
      expect(value['events'].at(-1)).toMatchObject({ role: 'agent' });
    });
  });

  inOneWorld('http', 'sqlite', (test) => {
    const post = async (world: World, token: string, headers: Readonly<Record<string, string>>) => {
      const { url } = await world.daemon();
      const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } };
      return fetch(`${url}/mcp?project=${encodeURIComponent(world.project)}`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify(body),
      });
    };

    test(`${row('people.header')} is no person by a header`, async ({ world }) => {
      await begin(world);
      await world.person(['trust', '--json']);
      const { token } = await world.daemon();
      for (const role of ['lead', 'human', 'reviewer', 'system', 'runner', 'root', ' human', 'Human'])
        expect([role, (await post(world, token('agent'), { 'Sekisho-Role': role })).status]).toEqual([role, 403]);
      expect((await post(world, token('agent'), { 'Sekisho-Role': 'tester' })).status).toBe(200);
      expect((await post(world, personToken, { 'Sekisho-Role': 'lead' })).status).toBe(200);
    });

    test(`${row('people.header')} does not change its role while its session lives`, async ({ world }) => {
      await begin(world);
      const { token } = await world.daemon();
      const opened = await post(world, token('agent'), {});
      const session = { 'Mcp-Session-Id': opened.headers.get('mcp-session-id') ?? '' };
      for (const headers of [{ 'Sekisho-Role': 'tester' }, { 'Sekisho-Role': 'lead' }])
        expect([403, 404]).toContain((await post(world, token('agent'), { ...session, ...headers })).status);
      expect((await post(world, personToken, session)).status).toBe(404);
    });
  });
});

describe('a person', () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    test(`${row('people.own-role', 'trust.definition')} is made an agent by no definition that nobody has seen, and in the role human by none at all`, async ({
      world,
    }) => {
      const run = await begin(world);
      world.write(
        '.sekisho/processes/taking.yaml',
        'id: taking\nversion: "1"\ninitial_state: a\nstates: [{ name: a, is_final: true }]\nevents: []\ntransitions: []\nroles: [{ name: human, kind: agent }, { name: owner, kind: agent }]\n',
      );
      const line = ['trust', '.sekisho/processes/led.yaml', '--json'];
      const taken = async (role: string) => (await world.person([...line, '--role', role])).code !== 0;
      expect([await taken('human'), await taken('owner')]).toEqual([false, false]);
      await world.person(['trust', '--json']);
      expect([await taken('human'), await taken('owner')]).toEqual([false, true]);
      const approved = await world.person([...emitLine(run), '--role', 'lead']);
      expect(approved.json).toMatchObject({ success: true });
    });

    test(`${row('people.same-user')} is whoever sits at the terminal, pipes or not`, async ({ world }) => {
      const run = await begin(world);
      const piped = await atTerminal(world, [], {
        shell: (sekisho) => `${sekisho} ${emitLine(run).join(' ')} --role lead < /dev/null | cat`,
      });
      expect(piped.text).toContain('"to_state":"b"');
    });

    test(`${row('people.terminal')} is not in the background of one, nor in a session of its own`, async ({
      world,
    }) => {
      const run = await begin(world);
      const line = `${emitLine(run).join(' ')} --role lead`;
      for (const shell of [
        (sekisho: string) => `setsid --wait ${sekisho} ${line} < /dev/null`,
        (sekisho: string) => `set -m; ${sekisho} ${line} < /dev/null > out.txt 2>&1 & wait; cat out.txt`,
      ])
        expect((await atTerminal(world, [], { shell })).text).toContain('FORBIDDEN');
      expect(await revisionOf(world, run)).toBe(0);
    });

    test(`${row('people.terminal')} is asked on the terminal, not by what is piped into the command`, async ({
      world,
    }) => {
      const run = await begin(world);
      const shell = (sekisho: string) => `yes | ${sekisho} admin approve --run-id ${run} --role lead`;
      const no = await atTerminal(world, [], { shell, answers: { '[y/N]': 'n' } });
      expect(no.text).toContain('[y/N]');
      expect((await world.call('state_gate.get_state', { run_id: run })).value['current_state']).toBe('a');
      const yes = await atTerminal(world, [], { shell, answers: { '[y/N]': 'y' } });
      expect(yes.text).toContain('[y/N]');
      expect((await world.call('state_gate.get_state', { run_id: run })).value['current_state']).toBe('b');
    });

    test(`${row('people.mark')} is refused at a terminal that an agent CLI has marked`, async ({ world }) => {
      const run = await begin(world);
      for (const mark of [
        'CLAUDECODE',
        'CODEX_SANDBOX',
        'GEMINI_CLI',
        'CURSOR_AGENT',
        'COPILOT_AGENT',
        'SEKISHO_AGENT_ID',
      ]) {
        const { text, code } = await atTerminal(world, ['admin', 'approve', '--run-id', run], { env: { [mark]: '1' } });
        expect([mark, code, text.includes('FORBIDDEN')]).toEqual([mark, 1, true]);
      }
    });

    test(`${row('people.token')} has a token that is shown once and stands in no file`, async ({ world }) => {
      const made = await atTerminal(world, ['token', 'create'], { answers: { '[y/N]': 'y' } });
      const token = /sk_[\w-]{32}/.exec(made.text)?.[0] ?? '';
      expect(token).not.toBe('');
      const run = await begin(world);
      const used = await world.cli([...emitLine(run), '--role', 'lead'], { env: { SEKISHO_TOKEN: token } });
      expect(used.json).toMatchObject({ success: true });
      const { tokens } = (await world.person(['token', 'list', '--json'])).json as {
        tokens: readonly { id: string }[];
      };
      expect(JSON.stringify(tokens)).not.toContain(token);
      const store = await openFoundStore(world.place.data.userDatabase);
      const [rows = []] = await store.read([{ sql: 'select hash, identity, label from token', args: {} }]);
      await store.close();
      expect(JSON.stringify(rows)).not.toContain(token);
      expect((await world.person(['token', 'revoke', tokens.at(-1)?.id ?? ''])).code).toBe(0);
      const after = await world.cli(['token', 'list', '--json'], { env: { SEKISHO_TOKEN: token } });
      expect(after.code).toBe(1);
    });

    test(`${row('people.second')} of a name is another person`, async ({ world }) => {
      world.write(
        '.sekisho/processes/two.yaml',
        led.replace('id: led', 'id: two').replace('role: lead }', 'role: lead, min_count: 2 }'),
      );
      const run = (await world.call('state_gate.create_run', { process_id: 'two' })).value['run_id'] as string;
      const added = await world.person(['admin', 'add-person', 'ann', '--json']);
      expect(added.json).toMatchObject({ person: 'ann', identity: 'person:ann' });
      expect((await world.person(['admin', 'add-person', 'ann', '--json'])).code).toBe(1);
      const as = (token: string, revision: number) =>
        world.cli(
          emitLine(run).map((word, at, all) =>
            all[at - 1] === '--expected-revision' ? String(revision) : word === 'k' ? `k${revision}${token}` : word,
          ),
          { env: { SEKISHO_TOKEN: token, SEKISHO_ROLE: 'lead' } },
        );
      const moved = async (token: string, revision: number) =>
        ((await as(token, revision)).json['result'] as { transition: { to_state: string } }).transition.to_state;
      expect(await moved(personToken, 0)).toBe('a');
      // The same person at the terminal is no second one.
      await atTerminal(world, ['admin', 'approve', '--run-id', run, '--role', 'lead'], { answers: { '[y/N]': 'y' } });
      expect((await world.call('state_gate.get_state', { run_id: run })).value['current_state']).toBe('a');
      expect(await moved(String(added.json['token']), await revisionOf(world, run))).toBe('b');
      const { value } = await world.call('state_gate.get_history', { run_id: run });
      expect(JSON.stringify(value['events'].at(-1))).toContain('person:ann');
    });

    test(`${row('people.rows')} whose token or name was put into the database by hand is named by verify`, async ({
      world,
    }) => {
      await world.person(['admin', 'add-person', 'ann', '--json']);
      const { userDatabase } = world.place.data;
      expect((await world.cli(['journal', 'verify', '--json'])).json).toMatchObject({ ok: true });
      await byHand(
        userDatabase,
        `insert into token (hash, role, identity, label, created_at) values ('${'0'.repeat(64)}', 'human', 'os:eve', 'x', 'now')`,
        `update person set added_by = 'os:eve'`,
      );
      const { code, json } = await world.cli(['journal', 'verify', '--json']);
      expect(code).toBe(1);
      const named = (json['faults'] as { table: string; damage: string }[]).map((one) => [one.table, one.damage]);
      expect(named).toEqual(
        expect.arrayContaining([
          ['token', 'added'],
          ['person', 'changed'],
        ]),
      );
    });
  });
});

/** What an agent can set: a data folder of its own, with a person's token that it made up, and the real store (finding S4). */
function otherFolder(world: World): Readonly<Record<string, string>> {
  const token = 'z'.repeat(40);
  return { XDG_DATA_HOME: join(world.project, '..', 'other-data'), SEKISHO_PERSON_TOKEN: token, SEKISHO_TOKEN: token };
}

describe.each(databases)('a person of another user database (%s)', (database) => {
  inOneWorld('stdio', database, (test) => {
    const decide = (world: World, run: string, env: Readonly<Record<string, string>>, key = 'k') =>
      world.cli([...emitLine(run, 'approve', key), '--role', 'lead', '--json'], { env });
    const keyIn = (text: string) => /sekisho admin admit ([0-9a-f]{20})/.exec(text)?.[1] ?? '';

    test(`${row('people.admitted')} decides nothing until a person who counts admits it`, async ({ world }) => {
      const run = await begin(world);
      const env = otherFolder(world);
      const refused = await decide(world, run, env);
      expect([refused.code, refused.json['code']]).toEqual([1, 'FORBIDDEN']);
      const key = keyIn(refused.stdout);
      expect(key).not.toBe('');
      for (const line of [
        ['approve', run],
        ['admin', 'use-run', '--run-id', run],
        ['admin', 'admit', key],
      ]) {
        const { code, stdout, stderr } = await world.cli(line, { env });
        expect([line.join(' '), code, keyIn(stdout + stderr)]).toEqual([line.join(' '), 1, key]);
      }
      expect(await revisionOf(world, run)).toBe(0);
      // Reading is an agent's right too, and `init` tells how decisions would count.
      expect((await world.cli(['gate', 'get-state', '--run-id', run, '--json'], { env })).json).toMatchObject({
        current_state: 'a',
      });
      expect((await world.cli(['init', '--json'], { env })).json).toMatchObject({ not_admitted: key });
      expect((await world.cli(['doctor', '--json'], { env })).json['checks']).toContainEqual(
        expect.objectContaining({ name: 'people', ok: false, remedy: expect.stringContaining(key) as string }),
      );
      expect((await decide(world, run, env, 'k2')).json['code']).toBe('FORBIDDEN');

      const admitted = await world.person(['admin', 'admit', key, '--json']);
      expect(admitted.json['admitted']).toEqual([admitted.json['own'], key]);
      expect((await decide(world, run, env, 'k3')).json).toMatchObject({ success: true });
      expect((await world.cli(['journal', 'verify', '--json'])).json).toMatchObject({ ok: true });
      expect((await world.person(['admin', 'admit', key, '--remove', '--json'])).code).toBe(0);
      expect(keyIn((await world.cli(['approve', run, '--json'], { env })).stdout)).toBe(key);
      expect((await world.cli(['journal', 'verify', '--json'])).json).toMatchObject({ ok: true });
    });

    test(`${row('people.admitted')} is named by verify where it wrote all the same`, async ({ world }) => {
      await begin(world);
      await world.person(['admin', 'admit', '--json']);
      const store = await openFoundStore(world.db);
      const at = new Date().toISOString();
      const write = (kind: string, data: object) =>
        store.commit(
          [],
          [{ project: 'x', at, actor: 'lead:os:eve', subject: 'people', kind, data: JSON.stringify(data) }],
        );
      // As a program that asks nobody would: it admits itself, decides, and one that is older says nothing of its database.
      await write('user.admitted', { key: 'e'.repeat(20), user_db: 'e'.repeat(20) });
      await write('run.event', { user_db: 'e'.repeat(20) });
      await write('run.event', {});
      const head = await store.head();
      await store.close();
      const { code, json } = await world.cli(['journal', 'verify', '--json']);
      expect(code).toBe(1);
      const named = json['faults'] as { table: string; key: number[]; detail: string }[];
      expect(named.map((one) => [one.table, one.key[0]])).toEqual(
        [head - 2, head - 1, head].map((seq) => ['journal', seq]),
      );
      expect(named[1]?.detail).toContain(`run.event by lead:os:eve, a person of the user database ${'e'.repeat(20)}`);
    });
  });
});

/** Commands of a shell that a host started, each with its answer in a file (finding L18). */
function shellLines(run: string, answers: string): string {
  const line = (prefix: string, args: string, file: string) =>
    `${prefix} '${node}' '${bin}' ${args} > '${join(answers, file)}' 2>&1`;
  const emit = (revision: number) =>
    `gate emit-event --run-id ${run} --event-name test --expected-revision ${revision} --idempotency-key s${revision} --json`;
  return [
    line('', emit(0), 'own'),
    line('SEKISHO_ENV_FILE=', emit(1), 'without'),
    line('SEKISHO_ENV_FILE= SEKISHO_TOKEN=made-up', emit(2), 'made-up'),
    line('SEKISHO_ENV_FILE=/nowhere.json', emit(2), 'nowhere'),
    line('', `admin approve --run-id ${run} --json`, 'approve'),
    line(`SEKISHO_ENV_FILE= SEKISHO_TOKEN=${personToken}`, `admin approve --run-id ${run} --json`, 'person'),
    `: > '${join(answers, 'done')}'`,
  ].join('\n');
}

describe('a command in the shell of an agent that a host started', () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    const checkAnswers = async (world: World, run: string, answers: string, agent: string) => {
      await until('the shell is done', () => existsSync(join(answers, 'done')), Boolean);
      const read = (file: string) => readFileSync(join(answers, file), 'utf8');
      expect([read('own'), read('without')]).toEqual([
        expect.stringContaining('"success":true'),
        expect.stringContaining('"success":true'),
      ]);
      for (const file of ['made-up', 'approve', 'person'])
        expect([file, read(file)]).toEqual([file, expect.stringContaining('FORBIDDEN')]);
      const { json } = await world.person(['journal', 'list', '--subject', run, '--json']);
      const entries = json['entries'] as { kind: string; actor: string }[];
      expect(entries.filter((one) => one.kind === 'run.event').map((one) => one.actor)).toEqual([
        `agent:${agent}`,
        expect.stringMatching(/^agent:os:.* \(unverified\)$/),
      ]);
      expect(read('nowhere')).toContain('BAD_CONFIGURATION');
    };
    const makeAnswers = (world: World) => {
      const answers = join(world.project, '..', 'answers');
      mkdirSync(answers);
      return answers;
    };

    test(`${row('people.shell')} is that agent’s, and nobody’s by another token`, async ({ world }) => {
      const answers = makeAnswers(world);
      world.write('.sekisho/config.yaml', 'roles: [{ id: sh, cli: command, command: [/bin/sh], toolsets: [gate] }]\n');
      const run = await begin(world);
      const { value } = await world.call('create_group', { description: 'a test' });
      const agents = [{ role: 'sh', prompt: shellLines(run, answers) }];
      const started = await world.call('run_agents', { groupId: value['groupId'], agents });
      await checkAnswers(world, run, answers, started.value['agents'][0].agentId as string);
    });

    test(`${row('people.shell')} is that of the agent whose instance a Runner started`, async ({ world }) => {
      const answers = makeAnswers(world);
      const ask = async (...args: readonly string[]) => (await world.person(['admin', ...args, '--json'])).json;
      const run = await begin(world);
      const project = String(
        (await ask('create-project', '--name', 'p', '--working-directory', world.project))['project_id'],
      );
      const made = await ask('create-agent', '--name', 'a', '--ai-type', 'sh', '--keep');
      const agent = String(made['agent_id']);
      await ask('assign-agent', '--project-id', project, '--agent-id', agent);
      const script = world.write('instance.sh', shellLines(run, answers));
      const commands = { sh: ['/bin/sh', join(world.project, script)] };
      world.write('.sekisho/config.yaml', JSON.stringify({ runner: { commands } }));
      const task = String(
        (await ask('create-task', '--project-id', project, '--title', 't', '--assignee-id', agent))['task_id'],
      );
      for (const status of ['todo', 'in_progress'])
        await world.person(['work', 'update-task-status', '--task-id', task, '--status', status, '--json']);
      expect((await world.cli(['runner', '--once', '--json'])).json['started']).toMatchObject([{ agentId: agent }]);
      await checkAnswers(world, run, answers, agent);
    });
  });
});

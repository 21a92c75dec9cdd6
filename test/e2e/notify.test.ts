import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { type IncomingHttpHeaders, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { describe, expect } from 'vitest';
import { until } from '../setup/until.ts';
import { makeWaiting } from './dashboard-world.ts';
import { furnish, group } from './fleet-world.ts';
import { requires } from './requirements.ts';
import { type World, bin, inOneWorld, node, otherMachine, registerProject } from './world.ts';
import { databases } from '../setup/databases.ts';

const secret = 'hunter2-hunter2';

interface Request {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly status: number;
}

/** A service that is told things, and may refuse them. */
interface Receiver {
  readonly url: string;
  readonly requests: Request[];
  status: number;
  accepted(): readonly Request[];
  close(): Promise<void>;
}

async function makeReceiver(): Promise<Receiver> {
  const requests: Request[] = [];
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      requests.push({ path: request.url ?? '', headers: request.headers, body, status: receiver.status });
      response.writeHead(receiver.status).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    status: 200,
    accepted: () => requests.filter(({ status }) => status === 200),
    close: () => new Promise((done) => server.close(() => done()) && server.closeAllConnections()),
  };
  return receiver;
}

interface Started {
  readonly process: ChildProcess;
  readonly printed: () => string;
}

/** A daemon of this world with more in its environment, when it serves. */
async function startDaemon(world: World, env: Readonly<Record<string, string>>): Promise<Started> {
  await world.call('state_gate.list_processes'); // The configuration has been trusted by then.
  registerProject(world);
  const child = spawn(node, [bin, 'up', '--port', '0', '--json'], {
    cwd: world.project,
    env: { ...world.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
  await new Promise<void>((done, fail) => {
    createInterface({ input: child.stdout }).once('line', () => done());
    child.once('exit', () => fail(new Error(`the daemon ended: ${printed}`)));
  });
  return { process: child, printed: () => printed };
}

async function kill({ process: child }: Started): Promise<void> {
  const gone = new Promise((done) => child.once('exit', done));
  child.kill('SIGKILL');
  await gone;
}

/** A project is told of from when a daemon has first read its journal. */
const begun = (world: World) =>
  until(
    'it reads',
    async () => (await journal(world, 'notify.began')).length,
    (count) => count > 0,
  );

async function journal(world: World, kind: string): Promise<readonly Record<string, any>[]> {
  const { json } = await world.person(['admin', 'list-journal', '--kind', kind, '--limit', '100', '--json']);
  return json['entries'] as Record<string, any>[];
}

describe.each(databases)('on %s', (database) => {
  inOneWorld('stdio', database, (test) => {
    test(`what waits is told ${requires('notify.at-least-once')}`, { timeout: 120_000 }, async ({ world }) => {
      const receiver = await makeReceiver();
      world.write(
        '.sekisho/config.yaml',
        `notify: [{ url: "${receiver.url}/hook", secret: "\${env:HOOK_SECRET}", on: [waiting] }]\n`,
      );
      const env = { HOOK_SECRET: secret };
      receiver.status = 500;
      const first = await startDaemon(world, env);
      await begun(world);
      const run = await makeWaiting(world, undefined, { title: 'The first' });
      await until('it is tried again', () => receiver.requests.length >= 2);
      await kill(first);
      receiver.status = 200;
      // The one that was killed holds the lease; two come for it.
      const both = await Promise.all([startDaemon(world, env), startDaemon(world, { ...otherMachine(world), ...env })]);
      const [arrived] = await until(
        'it arrives after all',
        () => receiver.accepted(),
        (list) => list.length > 0,
      );
      expect(JSON.parse(arrived?.body ?? '')).toMatchObject({
        topic: 'waiting',
        subject: run,
        title: 'Note: The first',
        text: 'A run of Note waits for a person in the state "review".',
        project: world.project,
        id: arrived?.headers['sekisho-delivery'],
      });
      for (const { headers, body } of receiver.requests) {
        expect(headers['sekisho-delivery']).toMatch(/^dlv-[0-9a-f]{32}$/);
        expect(headers['sekisho-delivery']).toBe(arrived?.headers['sekisho-delivery']);
        expect(body).toBe(arrived?.body);
        expect(headers['sekisho-signature']).toBe(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
      }
      // One of two sends, each once. What was decided meanwhile is no news.
      const runs = [await makeWaiting(world), await makeWaiting(world), await makeWaiting(world)];
      await until(
        'all have arrived',
        async () => (await journal(world, 'notify.delivered')).length,
        (count) => count === 4,
      );
      // The last attempt of the one that was killed may have been accepted too: then nobody knew.
      const subjects = receiver.accepted().map(({ body }) => (JSON.parse(body) as { subject: string }).subject);
      expect(subjects.filter((one) => one !== run).toSorted()).toEqual(runs.toSorted());
      await Promise.all(both.map(kill));
      expect([first, ...both].map((one) => one.printed()).join('')).not.toContain(secret);
      expect(first.printed()).toContain('"reason":"status 500"');
      await receiver.close();
    });
  });
});

inOneWorld('stdio', 'sqlite', (test) => {
  test(`every kind of service is told what it asked for ${requires('notify.kinds')} ${requires('notify.secrets')}`, async ({
    world,
  }) => {
    const receiver = await makeReceiver();
    const target = (type: string, on: string, more = '') =>
      `  - { type: ${type}, url: "${receiver.url}/${type}", on: [${on}]${more} }`;
    furnish(
      world,
      [
        'notify:',
        target('json', 'failed, blocked, finished, waiting'),
        '  - { type: slack, url: "${env:SLACK_URL}", on: [blocked] }',
        target('discord', 'failed'),
        target('ntfy', 'finished', ', secret: "${env:NTFY_TOKEN}"'),
        '  - { type: slack, url: "${env:NOBODY_SET_THIS}" }',
        '',
      ].join('\n'),
    );
    const daemon = await startDaemon(world, { SLACK_URL: `${receiver.url}/slack/T0/B0/xoxo`, NTFY_TOKEN: secret });
    await begun(world);
    const admin = async (...args: readonly string[]) => (await world.person(['admin', ...args, '--json'])).json;
    const project = await admin('create-project', '--name', 'p', '--working-directory', world.project);
    const title = 'Tidy <!channel> & go';
    const task = await admin('create-task', '--project-id', String(project['project_id']), '--title', title);
    const id = String(task['task_id']);
    for (const status of ['todo', 'in_progress', 'blocked'])
      await world.person(['work', 'update-task-status', '--task-id', id, '--status', status, '--json']);
    const groupId = await group(world);
    await world.call('run_agents', { groupId, agents: [{ role: 'crash-after-three-lines', prompt: 'go' }] });
    const at = (path: string) =>
      until(
        `${path} is told`,
        () => receiver.accepted().filter((one) => one.path.startsWith(path)),
        (list) => list.length > 0,
      );
    const json = await until(
      'all three are told',
      async () => (await at('/json')).map(({ body }) => JSON.parse(body) as Record<string, string>),
      (list) => list.length >= 3,
    );
    expect(json.map(({ topic }) => topic).toSorted()).toEqual(['blocked', 'failed', 'finished']);
    expect(json.find(({ topic }) => topic === 'finished')).toMatchObject({ subject: groupId, title: 'a test' });
    expect(json.find(({ topic }) => topic === 'blocked')?.['link']).toMatch(
      new RegExp(`^http://127\\.0\\.0\\.1:\\d+/tasks/${id}\\?project=/`),
    );
    const [slack] = await at('/slack/T0/B0/xoxo');
    expect(JSON.parse(slack?.body ?? '')['text']).toContain('*Tidy &lt;!channel&gt; &amp; go*');
    const [discord] = await at('/discord');
    expect(JSON.parse(discord?.body ?? '')).toMatchObject({
      content: expect.stringContaining('crash-after-three-lines'),
      allowed_mentions: { parse: [] },
    });
    const [ntfy] = await at('/ntfy');
    expect(ntfy?.headers).toMatchObject({ authorization: `Bearer ${secret}`, tags: 'finished' });
    expect(ntfy?.body).toContain('All 1 agents');
    await until('what is not set is said', () => daemon.printed().includes('NOBODY_SET_THIS'));
    await kill(daemon);
    expect(daemon.printed()).not.toContain(secret);
    expect(daemon.printed()).not.toContain('xoxo');
    expect(JSON.stringify(await journal(world, 'notify.'))).not.toMatch(/xoxo|hunter2/);
    world.write('.sekisho/config.yaml', `notify: [{ url: "${receiver.url}", secret: ${secret} }]\n`);
    const refused = await world.cli(['status']);
    expect(refused.stderr + refused.stdout).toContain('the file must not contain the secret');
    expect(refused.stderr + refused.stdout).not.toContain(secret);
    await receiver.close();
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';
import { type JournalEvent, createClient } from '../../src/library/client.ts';
import { bin, inOneWorld, node } from '../e2e/world.ts';
import { lastingPort } from '../setup/port.ts';
import { until } from '../setup/until.ts';

inOneWorld('stdio', 'sqlite', (test) => {
  test('following goes on where it was after the daemon was started again, and ends with its signal', async ({
    world,
  }) => {
    const port = await lastingPort();
    const { url, token, process: daemon } = await world.daemon(port);
    const client = createClient({ url: `${url}/`, token: token('human'), project: world.project });
    const stop = new AbortController();
    const seen: JournalEvent[] = [];
    const kinds = () => seen.map((one) => (one.type === 'entry' ? one.kind : one.type));
    const following = (async () => {
      for await (const event of client.follow({ signal: stop.signal })) seen.push(event);
    })();
    await until('the stream', () => seen.length > 0);
    daemon.kill();
    await once(daemon, 'exit');
    // While nobody serves the stream.
    await world.cli(['start', 'bug-fix', 'A fault', '--json']);
    spawn(node, [bin, 'up', '--port', String(port)], { cwd: world.project, env: world.env, stdio: 'ignore' });
    await until('the entry that was missed', () => kinds().includes('run.created'));
    expect(kinds()).toEqual(['ready', 'ready', 'run.created', ...kinds().slice(3)]);
    stop.abort();
    await following;
  });

  test('following a daemon that is not there, or that refuses, fails', async ({ world }) => {
    const { url } = await world.daemon();
    const follow = (to: string) =>
      createClient({ url: to, token: 'wrong', project: world.project, lang: 'ja' }).follow().next();
    await expect(follow('http://127.0.0.1:9')).rejects.toMatchObject({ code: 'UNREACHABLE', status: 0 });
    await expect(follow(url)).rejects.toMatchObject({
      code: 'SIGN_IN_NEEDED',
      status: 401,
      message: expect.stringMatching(/\p{Script=Hiragana}/u),
    });
  });
});

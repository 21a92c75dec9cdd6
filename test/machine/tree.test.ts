import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startOf } from '../../src/machine/identity.ts';
import { readProcess } from '../../src/machine/process-table.ts';
import { apartMarker, endTree, findTree } from '../../src/machine/tree.ts';
import { until } from '../setup/until.ts';
import { startFixture, startZombie } from './start.ts';

let count = 0;

/** A mark that no other test has. */
function freshMark() {
  const mark = { name: 'SEKISHO_TEST_TREE', value: `${process.pid}-${++count}` };
  return { mark, env: { [mark.name]: mark.value } };
}

function identify(pid: number) {
  return { pid, start: startOf(pid) ?? '' };
}

const isGone = (pid: number) => readProcess(pid)?.gone ?? true;

// Where the system shows no environments, only descent and group are left.
describe.runIf(process.platform === 'linux')('a tree', () => {
  test('has the child that left the group', async () => {
    const { mark, env } = freshMark();
    const { pids } = await startFixture('parent', [], env);
    expect(findTree({ mark, root: identify(pids[0]) }).toSorted()).toEqual(pids.toSorted());
    expect(findTree({ mark, root: undefined }).toSorted()).toEqual(pids.toSorted());
  });

  test('has the grandchild that left the group and lost its parent', async () => {
    const { mark, env } = freshMark();
    const { child, pids } = await startFixture('parent', ['leave'], env);
    const root = identify(pids[0]);
    if (child.exitCode === null) await once(child, 'exit');
    expect(findTree({ mark, root })).toEqual([pids[1]]);
  });

  test('has the child that lost the mark but not its parent', async () => {
    const { mark, env } = freshMark();
    const { pids } = await startFixture('parent', [], { ...env, CHILD: `{"${mark.name}":null}` });
    expect(findTree({ mark, root: undefined }).toSorted()).toEqual(pids.toSorted());
  });

  test('does not have what carries the mark of another', async () => {
    const { mark, env } = freshMark();
    const { pids } = await startFixture('parent', [], { ...env, CHILD: `{"${mark.name}":"another"}` });
    expect(findTree({ mark, root: identify(pids[0]) })).toEqual([pids[0]]);
  });

  test('does not have what lives a life of its own', async () => {
    const { mark, env } = freshMark();
    const { pids } = await startFixture('parent', [], { ...env, CHILD: `{"${apartMarker}":"1"}` });
    expect(findTree({ mark, root: identify(pids[0]) })).toEqual([pids[0]]);
  });

  test('does not have the process that got its root’s id later', async () => {
    const { mark } = freshMark();
    const { pids } = await startFixture('idle', []);
    expect(findTree({ mark, root: identify(pids[0]) })).toEqual([pids[0]]);
    expect(findTree({ mark, root: { pid: pids[0], start: '00000000:1' } })).toEqual([]);
  });

  test('has of a group without its leader what came after the leader, and nothing from before a restart', async () => {
    const { mark } = freshMark();
    const program = `
      const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
      console.log(child.pid);
      child.unref();
      process.stdin.once('data', () => process.exit());`;
    const leader = spawn(process.execPath, ['-e', program], { detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
    const pid = Number(String((await once(leader.stdout, 'data'))[0]));
    onTestFinished(() => void process.kill(pid, 'SIGKILL'));
    const root = identify(leader.pid ?? 0);
    leader.stdin.end('go');
    await once(leader, 'exit');
    const [boot, ticks] = root.start.split(':');
    expect(findTree({ mark, root })).toEqual([pid]);
    expect(findTree({ mark, root: { ...root, start: `${boot}:${Number(ticks) + 1_000_000}` } })).toEqual([]);
    expect(findTree({ mark, root: { ...root, start: `00000000:${ticks}` } })).toEqual([]);
  });

  test('does not have what has ended, though its parent never asked for it', async () => {
    const { mark, env } = freshMark();
    const [parent, zombie] = (await startZombie(env)).pids;
    await until('it has ended', () => isGone(zombie ?? 0));
    expect(findTree({ mark, root: identify(parent) })).toEqual([parent]);
    expect(await endTree({ mark, root: identify(parent) }, 0)).toEqual([]);
  });
});

describe('ending a tree', () => {
  test('lets those go who listen', async () => {
    const { mark, env } = freshMark();
    const { child, pids } = await startFixture('idle', [], env);
    const exit = once(child, 'exit');
    expect(await endTree({ mark, root: identify(pids[0]) }, 100_000)).toEqual([]);
    expect(await exit).toEqual([null, 'SIGTERM']);
  });

  test('kills those who do not, when the grace is over', async () => {
    const { mark, env } = freshMark();
    const { child, pids } = await startFixture('idle', ['stubborn'], env);
    const exit = once(child, 'exit');
    expect(await endTree({ mark, root: identify(pids[0]) }, 50)).toEqual([]);
    expect(await exit).toEqual([null, 'SIGKILL']);
  });

  test.runIf(process.platform === 'linux')('reaches what left the group, without grace', async () => {
    const { mark, env } = freshMark();
    const { pids } = await startFixture('parent', ['stubborn'], env);
    expect(await endTree({ mark, root: undefined }, 0)).toEqual([]);
    expect(pids.map(isGone)).toEqual([true, true]);
  });

  test('of which nothing is left is over at once', async () => {
    expect(await endTree({ mark: freshMark().mark, root: undefined }, 60_000)).toEqual([]);
  });
});

import { once } from 'node:events';
import { expect, test } from 'vitest';
import { isAlive, startOf, thisProcess } from '../../src/machine/identity.ts';
import { thisMachine } from '../../src/machine/this-machine.ts';
import { environmentOf, listProcesses, readProcess } from '../../src/machine/process-table.ts';
import { until } from '../setup/until.ts';
import { startFixture, startZombie } from './start.ts';

test('a process is alive under its own start, and an earlier one with the same id is not', async () => {
  const { pid, start } = thisProcess();
  expect(isAlive(pid, start)).toBe(true);
  expect(isAlive(pid, '00000000:1')).toBe(false);
  const { pids } = await startFixture('idle', []);
  expect(startOf(pids[0])).not.toBe(start);
});

test('a process that has ended is not alive and has no start', async () => {
  const { child, pids } = await startFixture('idle', []);
  const start = startOf(pids[0]) ?? '';
  expect(isAlive(pids[0], start)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isAlive(pids[0], start)).toBe(false);
  expect(startOf(pids[0])).toBeUndefined();
});

test.runIf(process.platform === 'linux')('a process whose parent never asked for it is gone', async () => {
  const [parent, zombie] = (await startZombie()).pids;
  await until('it has ended', () => readProcess(zombie ?? 0)?.gone);
  expect(readProcess(zombie ?? 0)?.parent).toBe(parent);
  expect(isAlive(zombie ?? 0, startOf(zombie ?? 0) ?? '')).toBe(false);
});

test('the table has this process, with its parent and its group', () => {
  const found = listProcesses().find((one) => one.pid === process.pid);
  expect(found).toMatchObject({ parent: process.ppid, start: thisProcess().start, gone: false });
});

test.runIf(process.platform === 'linux')('a variable is read whole, wherever it stands', async () => {
  const { pids } = await startFixture('idle', [], { FIRST: 'a=b', OTHER_FIRST: 'no', LAST: '' });
  expect(environmentOf(pids[0], 'FIRST')).toBe('a=b');
  expect(environmentOf(pids[0], 'LAST')).toBe('');
  expect(environmentOf(pids[0], 'IRST')).toBeUndefined();
});

test('the machine is the same at every look', () => {
  expect(thisMachine()).toBe(thisMachine());
  expect(thisMachine()).not.toBe('');
});

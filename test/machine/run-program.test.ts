import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findProgram } from '../../src/machine/find-program.ts';
import { endGroup, signalGroup } from '../../src/machine/group.ts';
import { readProcess } from '../../src/machine/process-table.ts';
import { runProgram } from '../../src/machine/run-program.ts';
import { until } from '../setup/until.ts';
import { startFixture } from './start.ts';

const fixture = (name: string) => join(import.meta.dirname, `../fixtures/machine/${name}.mjs`);
const isGone = (pid: number) => readProcess(pid)?.gone ?? true;
const ignore = () => undefined;

test('a program’s exit code and both of its streams are heard', async () => {
  const heard = { stdout: '', stderr: '' };
  const end = await runProgram(
    [process.execPath, '-e', 'console.log("out"); console.error("err"); process.exitCode = 3'],
    { timeoutMs: 60_000, onOutput: (chunk, stream) => (heard[stream] += chunk.toString('utf8')) },
  );
  expect(end).toMatchObject({ exitCode: 3, timedOut: false, error: undefined });
  expect(heard).toEqual({ stdout: 'out\n', stderr: 'err\n' });
});

test('a program that is not there says so', async () => {
  const end = await runProgram(['sekisho-no-such-program'], { timeoutMs: 60_000, onOutput: ignore });
  expect(end).toMatchObject({
    exitCode: undefined,
    timedOut: false,
    error: expect.stringMatching(/^spawn sekisho-no-such-program E(NOENT|ACCES)$/),
  });
});

test('the time limit ends it', async () => {
  const end = await runProgram([process.execPath, fixture('idle')], { timeoutMs: 100, onOutput: ignore });
  expect(end).toMatchObject({ exitCode: undefined, timedOut: true });
});

test('what it started ends with it', async () => {
  let printed = '';
  const stop = new AbortController();
  // A worker in the same group, which holds the output open.
  const worker = `import('node:child_process').then(({ spawn }) => spawn(process.execPath, ['${fixture('idle')}'], { stdio: 'inherit' }));`;
  await runProgram([process.execPath, '-e', `${worker} setInterval(() => {}, 1000)`], {
    timeoutMs: 60_000,
    signal: stop.signal,
    onOutput: (chunk) => {
      printed += chunk.toString('utf8');
      stop.abort();
    },
  });
  await until('the worker has gone', () => isGone(Number(printed)));
});

test('whoever asked may end it earlier, also before it began', async () => {
  const stop = new AbortController();
  const running = runProgram([process.execPath, fixture('idle')], {
    timeoutMs: 60_000,
    signal: stop.signal,
    onOutput: () => stop.abort(),
  });
  expect(await running).toMatchObject({ exitCode: undefined, timedOut: false });
  const late = { timeoutMs: 60_000, signal: stop.signal, onOutput: ignore };
  expect(await runProgram([process.execPath, fixture('idle')], late)).toMatchObject({ exitCode: undefined });
});

test('what left its group and holds its output open does not keep it from ending', async () => {
  let printed = '';
  // The one that stays tells the id: the wanderer itself may print only when nobody listens any more.
  const wanderer = `import('node:child_process').then(({ spawn }) => {
    const child = spawn(process.execPath, ['${fixture('idle')}'], { stdio: ['ignore', 'ignore', 'inherit'], detached: true });
    child.unref();
    console.log(child.pid);
  });`;
  const end = await runProgram([process.execPath, '-e', wanderer], {
    timeoutMs: 60_000,
    onOutput: (chunk) => (printed += chunk.toString('utf8')),
  });
  expect(end).toMatchObject({ exitCode: 0, timedOut: false });
  const pid = Number(printed);
  expect(pid).toBeGreaterThan(1);
  process.kill(pid, 'SIGKILL');
});

test('a group is asked first and killed then', async () => {
  const polite = await startFixture('idle', []);
  await endGroup(polite.pids[0], 100_000);
  const stubborn = await startFixture('idle', ['stubborn']);
  await endGroup(stubborn.pids[0], 30);
  const signals = () => [polite.child.signalCode, stubborn.child.signalCode];
  await until('both have ended', signals, (found) => found.every((signal) => signal !== null));
  expect(signals()).toEqual(['SIGTERM', 'SIGKILL']);
  expect(signalGroup(stubborn.pids[0], 0)).toBe(false);
});

test('a program is found where the path leads first, and only if it can be started', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sekisho-path-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const place = (path: string, mode: number) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), '#!/bin/sh\n');
    chmodSync(join(folder, path), mode);
    return join(folder, path);
  };
  place('a/tool', 0o644);
  mkdirSync(join(folder, 'b/tool'), { recursive: true });
  const wanted = place('c/tool', 0o755);
  const path = ['a', 'b', 'c'].map((one) => join(folder, one)).join(delimiter);
  expect(findProgram('tool', path, folder)).toBe(wanted);
  expect(findProgram('./c/tool', '', folder)).toBe(wanted);
  expect(findProgram('c/none', path, folder)).toBeUndefined();
  expect(findProgram('none', path, folder)).toBeUndefined();
});

import { expect, test } from 'vitest';
import { Stop } from '../../src/kernel/stop.ts';

test('tells its listeners once, those that are left', () => {
  const stop = new Stop();
  const told: string[] = [];
  const gone = () => told.push('gone');
  stop.addEventListener('abort', () => told.push('stays'));
  stop.addEventListener('abort', gone);
  stop.removeEventListener('abort', gone);
  expect(stop.aborted).toBe(false);
  stop.abort('enough');
  stop.abort('again');
  expect([stop.aborted, stop.reason, told]).toEqual([true, 'enough', ['stays']]);
});

test('follows a signal, and is stopped where that has been already', () => {
  const controller = new AbortController();
  const before = Stop.by(controller.signal);
  expect(before.aborted).toBe(false);
  controller.abort('enough');
  const after = Stop.by(controller.signal);
  expect([before, after].map(({ aborted, reason }) => [aborted, reason])).toEqual([
    [true, 'enough'],
    [true, 'enough'],
  ]);
});

test.each(['before', 'after'])('a signal that was asked for %s says the same', (when) => {
  const stop = new Stop();
  const early = when === 'before' ? stop.signal : undefined;
  stop.abort(new Error('enough'));
  expect(stop.signal.aborted).toBe(true);
  expect(stop.signal.reason).toEqual(new Error('enough'));
  expect(early ?? stop.signal).toBe(stop.signal);
});

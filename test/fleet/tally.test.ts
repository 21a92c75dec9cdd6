import { describe, expect, test } from 'vitest';
import type { Fact } from '../../src/fleet/agent-cli.ts';
import { addFact, addFacts, emptyTally } from '../../src/fleet/host/stream-tally.ts';

const told = (...facts: readonly Fact[]) => facts.reduce(addFact, emptyTally);

describe('errors and answers', () => {
  const error: Fact = { kind: 'error', message: 'overloaded' };
  const answer: Fact = { kind: 'answer', text: 'done' };

  test('a run that went on after an error and answered ended well', () => {
    expect(told(error, answer)).toMatchObject({ answer: 'done', error: undefined });
  });

  test('an error after an answer stands, and so does the answer', () => {
    expect(told(answer, error)).toMatchObject({ answer: 'done', error: 'overloaded' });
    expect(told(error, answer, error)).toMatchObject({ error: 'overloaded' });
  });

  test('a text after the answer is no other answer', () => {
    expect(told(answer, { kind: 'text', text: 'bye' })).toMatchObject({ answer: 'done', activity: 'bye' });
    expect(told({ kind: 'text', text: 'hm' }, { kind: 'text', text: 'well' })).toMatchObject({ answer: 'well' });
  });
});

describe('files', () => {
  const file = (path: string, change: 'created' | 'edited' | 'deleted'): Fact => ({ kind: 'file', path, change });

  test('what it made and then changed, it made; what it made and took away, it never made', () => {
    expect(told(file('a', 'created'), file('a', 'edited'))).toMatchObject({ created: ['a'], edited: [] });
    expect(told(file('a', 'created'), file('a', 'deleted'))).toMatchObject({ created: [], edited: [] });
    expect(told(file('a', 'edited'), file('a', 'edited'))).toMatchObject({ created: [], edited: ['a'] });
    expect(told(file('a', 'deleted'))).toMatchObject({ created: [], edited: ['a'] });
  });
});

test('usage of steps is added up, usage of a run replaces it', () => {
  const step: Fact = { kind: 'usage', usage: { inputTokens: 2, outputTokens: 1 }, step: true };
  expect(told(step, step).usage).toEqual({ inputTokens: 4, outputTokens: 2 });
  expect(told(step, { kind: 'usage', usage: { inputTokens: 9, outputTokens: 9 } }).usage).toEqual({
    inputTokens: 9,
    outputTokens: 9,
  });
});

test('what a database cannot keep is replaced, wherever it stands', () => {
  const tally = told(
    { kind: 'line', text: 'a\0b' },
    { kind: 'tool', name: 'x\0' },
    { kind: 'session', id: '\ud800' },
    { kind: 'file', path: 'p\0', change: 'edited' },
  );
  expect(tally).toMatchObject({ lines: ['a\ufffdb'], tool: 'x\ufffd', session: '\ufffd', edited: ['p\ufffd'] });
});

test('of lists without end a part is kept, and what comes behind them', () => {
  const denied = Array.from({ length: 300_000 }, (): Fact => ({ kind: 'denied', tool: 'Bash' }));
  const files = Array.from({ length: 300_000 }, (_, n): Fact => ({ kind: 'file', path: `f${n}`, change: 'edited' }));
  const tally = addFacts(addFacts(emptyTally, [...denied, { kind: 'answer', text: 'done' }]), files);
  expect(tally.answer).toBe('done');
  expect(tally.denials).toHaveLength(100);
  expect(tally.edited).toHaveLength(2000);
});

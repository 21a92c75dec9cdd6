import { describe, expect, test } from 'vitest';
import type { Fact } from '../../src/fleet/agent-cli.ts';
import { addFact, emptyTally } from '../../src/fleet/host/tally.ts';

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

import { expect, test } from 'vitest';
import { approvalNeeds } from '../../dashboard/screen/approval/approval-needs.ts';

const unmet = (name: string, reason: string) => ({ name, reason, is_satisfied: false, is_pending: false });
const guard = (name: string, type: string) => ({ name, type, description: '' });

/** A run in review whose transition needs an approval and a file. */
const run = (missing: readonly string[], answers: ('approve' | 'reject')[] = ['approve', 'reject']) => ({
  answers,
  current_state: 'review',
  missing,
  transitions: [
    {
      from: 'review',
      event: 'finish',
      to: 'done',
      guards: [guard('approved', 'approval'), guard('notes', 'artifact')],
    },
  ],
  ways: [
    { event: 'finish', to: 'done', is_yours: false, guards: [unmet('approved', '0 of 2'), unmet('notes', 'no file')] },
  ],
});

test('a guard that the reader can satisfy waits for their approval, and no other guard does', () => {
  expect([...approvalNeeds(run(['notes: no file']))]).toEqual([['approved', 'yours']]);
  expect([...approvalNeeds(run(['notes: no file', 'approved: 1 of 2']))]).toEqual([['approved', 'yours-and-others']]);
});

test('a guard for which the reader’s approval does not count keeps its reason', () => {
  expect([...approvalNeeds(run(['approved: 0 of 2']))]).toEqual([]);
  expect([...approvalNeeds(run([], ['reject']))]).toEqual([]);
});

test('two guards that may want different approvals keep their reasons', () => {
  const one = run([]);
  const signed = { event: 'sign', to: 'signed', is_yours: false, guards: [unmet('signed', '0 of 1')] };
  const transition = { from: 'review', event: 'sign', to: 'signed', guards: [guard('signed', 'approval')] };
  const both = { ...one, transitions: [...one.transitions, transition], ways: [...one.ways, signed] };
  expect([...approvalNeeds(both)]).toEqual([]);
});

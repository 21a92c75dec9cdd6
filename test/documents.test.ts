import { expect, test } from 'vitest';
import { problem as fleet } from '../src/fleet/problem.ts';
import { phrase as gate } from '../src/gate/phrase.ts';
import { problem as gateProblem } from '../src/gate/problem.ts';
import { problem as phase } from '../src/phase/problem.ts';
import { problem as work } from '../src/work/problem.ts';

/** Sentences that the documents quote stand alone: programs compare them. What else is known goes into `details`. */
test.for([
  ["グループ 'grp-xxx' が見つかりません", fleet.GROUP_NOT_FOUND({ groupId: 'grp-xxx' }).in('ja')],
  ["成果物 'experiment_plan' が未提出", gate.guardArtifactMissing({ type: 'experiment_plan' })('ja')],
  ['Expected revision 3, but current is 5', gateProblem.REVISION_CONFLICT({ expected: 3, current: 5 }).in('ja')],
  ['Guard conditions not satisfied', gateProblem.GUARD_FAILED({ missing: ['x'], waits: 'y' }).in('ja')],
  ['Prompt not found for phase: phase1', phase.PROMPT_NOT_FOUND({ phase: 'phase1' }).in('ja')],
  ['Failed to fetch prompt from Cloud API: timeout', phase.CLOUD_API_ERROR({ reason: 'timeout' }).in('ja')],
  ['Invalid agent_id or passkey', work.INVALID_CREDENTIALS().in('ja')],
  ['Agent instance already running for this project', work.ALREADY_RUNNING().in('ja')],
  ['Invalid or expired session_token', work.INVALID_SESSION().in('ja')],
] as const)('%s', ([quoted, said]) => {
  expect(said).toBe(quoted);
});

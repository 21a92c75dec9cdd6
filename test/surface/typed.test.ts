import { expect, test } from 'vitest';
import { loadCatalogue } from '../../src/app/catalogue.ts';
import { commandsOf } from '../../src/surface/terminal/typed-command.ts';

const { operations } = await loadCatalogue();
const getState = operations.find((one) => one.name === 'state_gate.get_state');
const getTask = operations.find((one) => one.name === 'get_task');

test.for([
  ['state_gate.list_runs shows them.', 'sekisho gate list-runs shows them.'],
  ['Read it with get_state, or name it with run_id.', 'Read it with sekisho gate get-state, or name it with --run-id.'],
  ['create_group で作成してください。', 'sekisho fleet create-group で作成してください。'],
  // What a person said is not rewritten, nor what only looks alike.
  ['There is no file src/get_state.ts.', 'There is no file src/get_state.ts.'],
  ['The title is "get_state".', 'The title is "get_state".'],
  ['forget_state, get_states and get_state_now', 'forget_state, get_states and get_state_now'],
  ['Call activate again.', 'Call activate again.'],
] as const)('%s', ([text, typed]) => {
  expect(commandsOf(operations, getState)(text)).toBe(typed);
});

test('of two toolsets it names the one that was asked', () => {
  expect(commandsOf(operations)('list_agents shows them.')).toBe('sekisho fleet list-agents shows them.');
  expect(commandsOf(operations, getTask)('list_agents shows them.')).toBe('sekisho work list-agents shows them.');
});

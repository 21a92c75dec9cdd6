import { kinds } from '../../api/queries.ts';

/** What changes a task: its dependencies too, and its run and its executions carry other names. */
export const taskConcern = kinds('task.', 'run.', 'handoff.', 'execution.', 'session.');

import { kinds } from '../../api/queries.ts';

/** Entries that may change a task: its own, and those of its dependencies, its run and its executions. */
export const taskConcern = kinds('task.', 'run.', 'handoff.', 'execution.', 'session.');

import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { executionDetail, selectExecutions } from '../session/executions.ts';
import { executionSchema, success } from '../shapes.ts';
import { problem } from '../problem.ts';
import { described, words } from '../words.ts';

export const getExecutionLog = defineOperation({
  name: 'get_execution_log',
  toolsets: ['work'],
  effect: 'read',
  summary: words('One execution: its times, agent, result and log file.'),
  example: '--execution-id exec_…',
  input: z.strictObject({ execution_id: described(z.string(), 'Which execution') }),
  output: z.object({ success, log: executionSchema.extend({ logFilePath: z.string().nullable() }) }),
  async run(context, input) {
    const [[row] = []] = await context.store.read([
      { sql: `${selectExecutions} where e.id = :id`, args: { id: input.execution_id } },
    ]);
    if (row === undefined) throw problem.EXECUTION_NOT_FOUND({ execution_id: input.execution_id });
    return { success: true as const, log: executionDetail(row, context.now()) };
  },
});

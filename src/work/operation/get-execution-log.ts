import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { readExecution } from '../session/executions.ts';
import { executionDetailSchema, executionIdInput, success } from '../shapes.ts';
import { words } from '../words.ts';

export const getExecutionLog = defineOperation({
  name: 'get_execution_log',
  toolsets: ['work'],
  effect: 'read',
  summary: words('One execution: its times, agent, result and log file.'),
  example: '--execution-id exec_…',
  input: z.strictObject({ execution_id: executionIdInput }),
  output: z.object({ success, log: executionDetailSchema }),
  async run(context, input) {
    return { success: true as const, log: await readExecution(context, input.execution_id) };
  },
});

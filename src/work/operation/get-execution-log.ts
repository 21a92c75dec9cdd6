import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { executionDetail, selectExecutions } from '../session/executions.ts';
import { executionSchema, success } from '../shapes.ts';
import { problem } from '../problem.ts';
import { told } from '../../kernel/text/described.ts';

export const getExecutionLog = defineOperation({
  name: 'get_execution_log',
  toolsets: ['work'],
  effect: 'read',
  summary: {
    en: 'One execution: when, by whom, how it ended, and where its log is.',
    ja: '実行 1 回の時刻、担当、結果、ログの場所を返します。',
  },
  example: '--execution-id exec_…',
  input: z.strictObject({ execution_id: told(z.string(), { en: 'Which execution', ja: '実行の ID' }) }),
  output: z.object({ success, log: executionSchema.extend({ logFilePath: z.string().nullable() }) }),
  async run(context, input) {
    const [[row] = []] = await context.store.read([
      { sql: `${selectExecutions} where e.id = :id`, args: { id: input.execution_id } },
    ]);
    if (row === undefined) throw problem.EXECUTION_NOT_FOUND({ execution_id: input.execution_id });
    return { success: true as const, log: executionDetail(row, context.now()) };
  },
});

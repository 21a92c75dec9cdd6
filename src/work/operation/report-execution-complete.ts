import * as z from 'zod';
import { entry } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { statusOfExit } from '../session/executions.ts';
import { openSession } from '../session/sessions.ts';
import { sessionToken, success } from '../shapes.ts';
import { problem } from '../problem.ts';
import { described, words } from '../words.ts';

export const reportExecutionComplete = defineOperation({
  name: 'report_execution_complete',
  toolsets: ['work'],
  effect: 'write',
  replacedBy: 'report_completed',
  summary: words('Deprecated: use report_completed. Reports the end of an execution; the task does not change.'),
  example: '--session-token sess_… --execution-id exec_… --exit-code 0 --duration-seconds 12.5 --log-file-path run.log',
  input: z.strictObject({
    session_token: sessionToken,
    execution_id: described(z.string(), 'What report_execution_start returned'),
    exit_code: described(z.int(), '0: completed, 1 to 127: failed, anything else: error'),
    duration_seconds: described(z.number().min(0), 'How long it took'),
    log_file_path: described(z.string(), 'Where its log is'),
  }),
  output: z.object({
    success,
    execution_id: z.string(),
    completed_at: z.string(),
    status: z.enum(['completed', 'failed', 'error']),
  }),
  async run(given, input) {
    const { session, context } = await openSession(given, input.session_token, problem.INVALID_EXECUTION_OR_SESSION);
    const at = context.now().toISOString();
    const status = statusOfExit(input.exit_code);
    const outcome = await context.store.commit(
      [
        {
          sql: `update work_execution set status = :status, exit_code = :exit, duration_ms = :duration, log_file_path = :log,
            completed_at = :at where id = :id and session = :session and status = 'running'`,
          args: {
            id: input.execution_id,
            session: session.hash,
            status,
            exit: input.exit_code,
            duration: Math.round(input.duration_seconds * 1000),
            log: input.log_file_path,
            at,
          },
          rows: 1,
        },
      ],
      [entry(context, input.execution_id, 'execution.ended', { status, exit_code: input.exit_code })],
    );
    if (!outcome.done) throw problem.INVALID_EXECUTION_OR_SESSION();
    return { success: true as const, execution_id: input.execution_id, completed_at: at, status };
  },
});

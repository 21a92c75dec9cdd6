import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { decodePosition, encodeCursor } from '../../kernel/store/page.ts';
import { cursorInput } from '../shapes.ts';
import { problem } from '../problem.ts';
import { executionDetail, instanceOfLog, selectExecutions } from '../session/executions.ts';
import { projectFile, readLines } from '../session/log-lines.ts';
import { described, words } from '../words.ts';

export const readExecutionLog = defineOperation({
  name: 'read_execution_log',
  toolsets: ['admin'],
  effect: 'read',
  summary: words(
    'The output of an execution, line by line, if its log is a file of this project. next_cursor continues.',
  ),
  example: '--execution-id exec_…',
  input: z.strictObject({
    execution_id: described(z.string(), 'Which execution'),
    cursor: cursorInput,
    limit: described(z.int().min(1).max(5000).default(500), 'How many lines at most'),
  }),
  output: z.object({
    execution_id: z.string(),
    instance: described(z.string().nullable(), 'The fleet agent that the log belongs to: read it with get_agent_log'),
    lines: z.array(z.string()),
    next_cursor: z.string().optional(),
  }),
  async run(context, { execution_id: id, cursor, limit }) {
    const [[row] = []] = await context.store.read([{ sql: `${selectExecutions} where e.id = :id`, args: { id } }]);
    if (row === undefined) throw problem.EXECUTION_NOT_FOUND({ execution_id: id });
    const { logFilePath: path, status } = executionDetail(row, context.now());
    const instance = instanceOfLog(path);
    if (instance !== undefined) return { execution_id: id, instance, lines: [] };
    // The path comes from an agent: it must not lead out of the project.
    const file = path === null ? undefined : projectFile(context.project.root, path);
    if (file === undefined) throw problem.EXECUTION_LOG_AWAY({ path });
    const page = readLines(file, decodePosition(cursor) ?? 0, limit);
    return {
      execution_id: id,
      instance: null,
      lines: [...page.lines],
      ...((page.more || status === 'running') && { next_cursor: encodeCursor(String(page.next)) }),
    };
  },
});

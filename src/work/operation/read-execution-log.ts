import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { decodePosition, encodeCursor } from '../../kernel/store/page.ts';
import { cursorInput, executionIdInput, nextCursor } from '../shapes.ts';
import { problem } from '../problem.ts';
import { instanceOfLog, readExecution } from '../session/executions.ts';
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
    execution_id: executionIdInput,
    cursor: cursorInput,
    limit: described(z.int().min(1).max(5000).default(500), 'How many lines at most'),
  }),
  output: z.object({
    execution_id: z.string(),
    instance: described(z.string().nullable(), 'The fleet agent that the log belongs to: read it with get_agent_log'),
    lines: z.array(z.string()),
    next_cursor: nextCursor,
  }),
  async run(context, { execution_id: id, cursor, limit }) {
    const { logFilePath: path, status } = await readExecution(context, id);
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

import * as z from 'zod';
import type { Operation } from '../../kernel/operation.ts';
import type { Plain } from '../../kernel/plain.ts';

/** A tool as clients see it. The build writes it down: turning zod into JSON Schema takes longer than a whole start. */
export function describeTool(operation: Operation): Plain {
  return {
    name: operation.name,
    description: operation.summary,
    inputSchema: z.toJSONSchema(operation.input, { io: 'input' }),
    outputSchema: z.toJSONSchema(operation.output, { io: 'output' }),
    annotations: {
      readOnlyHint: operation.effect === 'read',
      destructiveHint: false,
      idempotentHint: operation.effect === 'read' || operation.idempotent === true,
      openWorldHint: false,
    },
  };
}

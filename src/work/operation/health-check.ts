import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { version } from '../version.ts';
import { words } from '../words.ts';

export const healthCheck = defineOperation({
  name: 'health_check',
  toolsets: ['work'],
  effect: 'read',
  summary: words('Whether this server is up: its version and its time. The Runner’s first step.'),
  input: z.strictObject({}),
  output: z.object({ status: z.literal('ok'), version: z.string(), timestamp: z.string() }),
  async run(context) {
    // Throws if the database is down: a server without it is not healthy.
    await context.store.head();
    return { status: 'ok' as const, version, timestamp: context.now().toISOString() };
  },
});

import * as z from 'zod';
import { noticeSources } from '../../kernel/notice.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { plainLine } from '../message.ts';

/** Whoever wants all of it follows the link. */
const longest = 300;

export const listOpenMatters = defineOperation({
  name: 'list_open_matters',
  toolsets: ['admin'],
  effect: 'read',
  summary:
    'What needs a person beside approvals, newest first: blocked tasks, hand-offs that nobody took, agents that failed within a day, upstreams that are away.',
  example: '--limit 10',
  input: z.strictObject({
    limit: z.number().int().min(1).max(200).default(50).describe('At most so many of each kind, 50 by default'),
  }),
  output: z.object({
    matters: z.array(
      z.object({
        kind: z.enum(['task', 'handoff', 'agent', 'upstream']),
        subject: z.string().describe('Its id; of an upstream its name'),
        title: z.string(),
        text: z.string().describe('What is the matter'),
        path: z.string().describe('Where the dashboard shows it'),
        since: z.string(),
      }),
    ),
  }),
  async run(context, { limit }) {
    const found = await Promise.all(noticeSources.of(context).flatMap((one) => one.open?.(context, limit) ?? []));
    return {
      matters: found
        .flat()
        .map((one) => ({ ...one, text: plainLine(context.say(one.text), longest) }))
        .toSorted((a, b) => b.since.localeCompare(a.since)),
    };
  },
});

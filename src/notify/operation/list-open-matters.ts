import * as z from 'zod';
import { noticeSources } from '../../kernel/notice.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { plainLine } from '../message.ts';
import { described, words } from '../words.ts';

/** Longest text; the path leads to the full one. */
const longest = 300;

export const listOpenMatters = defineOperation({
  name: 'list_open_matters',
  toolsets: ['admin'],
  effect: 'read',
  summary: words(
    'What needs a person beside approvals, newest first: blocked tasks, hand-offs that nobody took, agents that failed within a day, agents that are paused, upstreams that are away.',
  ),
  example: '--limit 10',
  input: z.strictObject({
    limit: described(z.number().int().min(1).max(200).default(50), 'At most so many of each kind, 50 by default'),
  }),
  output: z.object({
    matters: z.array(
      z.object({
        kind: z.enum(['task', 'handoff', 'agent', 'upstream']),
        subject: described(z.string(), 'Its id; of an upstream its name'),
        title: z.string(),
        text: described(z.string(), 'What is the matter'),
        path: described(z.string(), 'Where the dashboard shows it'),
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

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
    'Matters other than approvals that need a person, newest first: blocked tasks, pending hand-offs, agents that failed within the last day, paused agents, unreachable upstreams.',
  ),
  example: '--limit 10',
  input: z.strictObject({
    limit: described(z.number().int().min(1).max(200).default(50), 'Maximum number of each kind, 50 by default'),
  }),
  output: z.object({
    matters: z.array(
      z.object({
        kind: z.enum(['task', 'handoff', 'agent', 'upstream']),
        subject: described(z.string(), 'Its id, or the name of an upstream'),
        title: z.string(),
        text: described(z.string(), 'What needs attention'),
        path: described(z.string(), 'Path in the dashboard'),
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

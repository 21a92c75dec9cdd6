import * as z from 'zod';
import { noticeSources } from '../../kernel/notice.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { plainLine } from '../message.ts';
import { told } from '../../kernel/text/described.ts';

/** Whoever wants all of it follows the link. */
const longest = 300;

export const listOpenMatters = defineOperation({
  name: 'list_open_matters',
  toolsets: ['admin'],
  effect: 'read',
  summary: {
    en: 'What needs a person beside approvals, newest first: blocked tasks, hand-offs that nobody took, agents that failed within a day, agents that are paused, upstreams that are away.',
    ja: '承認のほかに人の対応が必要なものを新しい順に返します。ブロックされたタスク、誰も受け取らない引き継ぎ、1 日以内に失敗したエージェント、エージェントの起動の停止、つながらない upstream です。',
  },
  example: '--limit 10',
  input: z.strictObject({
    limit: told(z.number().int().min(1).max(200).default(50), {
      en: 'At most so many of each kind, 50 by default',
      ja: '種類ごとの最大件数 (既定は 50)',
    }),
  }),
  output: z.object({
    matters: z.array(
      z.object({
        kind: z.enum(['task', 'handoff', 'agent', 'upstream']),
        subject: told(z.string(), { en: 'Its id; of an upstream its name', ja: 'ID (upstream の場合は名前)' }),
        title: z.string(),
        text: told(z.string(), { en: 'What is the matter', ja: '何が起きているか' }),
        path: told(z.string(), { en: 'Where the dashboard shows it', ja: 'ダッシュボードで表示される場所' }),
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

import type { Context } from '../../kernel/context.ts';
import type { OpenMatter } from '../../kernel/notice.ts';
import { optional, text } from '../../kernel/store/row.ts';
import { phrase } from '../problem.ts';

/** Lists blocked tasks and pending hand-offs. */
export async function openMatters(context: Context, most: number): Promise<readonly OpenMatter[]> {
  const [tasks = [], handoffs = []] = await context.store.read([
    {
      sql: `select id, title, summary, updated_at from work_task where status = 'blocked'
        order by updated_at desc, id limit :most`,
      args: { most },
    },
    {
      sql: `select h.id, h.task_id, coalesce(a.name, h.from_agent_id) as giver, b.name as taker, h.summary, h.created_at, t.title
        from work_handoff h join work_task t on t.id = h.task_id left join work_agent a on a.id = h.from_agent_id
          left join work_agent b on b.id = h.to_agent_id where h.status = 'pending'
        order by h.created_at desc, h.id limit :most`,
      args: { most },
    },
  ]);
  return [
    ...tasks.map((row): OpenMatter => ({
      kind: 'task',
      subject: text(row, 'id'),
      title: text(row, 'title'),
      text: phrase.noticeBlocked({ reason: optional(row, 'summary') ?? '' }),
      path: `/tasks/${text(row, 'id')}`,
      since: text(row, 'updated_at'),
    })),
    ...handoffs.map((row): OpenMatter => ({
      kind: 'handoff',
      subject: text(row, 'id'),
      title: text(row, 'title'),
      text: phrase.noticeHandoff({
        from: text(row, 'giver'),
        to: optional(row, 'taker'),
        summary: text(row, 'summary'),
      }),
      path: `/tasks/${text(row, 'task_id')}`,
      since: text(row, 'created_at'),
    })),
  ];
}

import type { Context } from '../../kernel/context.ts';
import type { Notice, OpenMatter } from '../../kernel/notice.ts';
import { optional, text } from '../../kernel/store/row.ts';
import type { Recorded } from '../../kernel/store/store.ts';
import { phrase } from '../problem.ts';
import { findTask } from './tasks.ts';

/** Notices for blocked tasks and for hand-offs that name no recipient. */
export async function notices(context: Context, entry: Recorded): Promise<readonly Notice[]> {
  return entry.kind === 'task.updated' ? blocked(context, entry) : handedOver(context, entry);
}

async function blocked(context: Context, { subject, data }: Recorded): Promise<readonly Notice[]> {
  const { changes, reason } = JSON.parse(data) as {
    readonly changes?: { readonly status?: { readonly to: string } };
    readonly reason?: string;
  };
  if (changes?.status?.to !== 'blocked') return [];
  const task = await findTask(context, subject);
  if (task?.status !== 'blocked') return [];
  const why = phrase.noticeBlocked({ reason: reason ?? task.summary ?? '' });
  return [{ topic: 'blocked', subject, title: task.title, text: why, path: `/tasks/${subject}` }];
}

async function handedOver(context: Context, { subject }: Recorded): Promise<readonly Notice[]> {
  const [[row] = []] = await context.store.read([
    {
      sql: `select coalesce(a.name, h.from_agent_id) as giver, h.to_agent_id, h.summary, h.task_id, t.title
        from work_handoff h join work_task t on t.id = h.task_id left join work_agent a on a.id = h.from_agent_id
        where h.id = :id and h.status = 'pending'`,
      args: { id: subject },
    },
  ]);
  if (row === undefined || optional(row, 'to_agent_id') !== null) return [];
  return [
    {
      topic: 'waiting',
      subject,
      title: text(row, 'title'),
      text: phrase.noticeHandoff({ from: text(row, 'giver'), to: null, summary: text(row, 'summary') }),
      path: `/tasks/${text(row, 'task_id')}`,
    },
  ];
}

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

import type { Output } from '../api/operations.ts';
import { defineTexts, useTexts } from '../text/text.ts';
import { Badge, type Tone } from './badge.tsx';

type Card = Output<'list_cards'>['cards'][number];
export type Status = Card['status'];
export type Priority = Card['priority'];

export const priorities = ['urgent', 'high', 'medium', 'low'] as const satisfies Priority[];

export const statusTexts = defineTexts<Record<Status, string>>({
  backlog: { en: 'Backlog', ja: 'バックログ' },
  todo: { en: 'To do', ja: '未着手' },
  in_progress: { en: 'In progress', ja: '進行中' },
  blocked: { en: 'Blocked', ja: 'ブロック中' },
  done: { en: 'Done', ja: '完了' },
  cancelled: { en: 'Cancelled', ja: '中止' },
});

export const priorityTexts = defineTexts<Record<Priority, string>>({
  urgent: { en: 'Urgent', ja: '緊急' },
  high: { en: 'High', ja: '高' },
  medium: { en: 'Medium', ja: '中' },
  low: { en: 'Low', ja: '低' },
});

export const statusTones: Readonly<Record<Status, Tone>> = {
  backlog: 'plain',
  todo: 'plain',
  in_progress: 'live',
  blocked: 'bad',
  done: 'held',
  cancelled: 'plain',
};

/** The state of a task. */
export function TaskStatus({ status }: { readonly status: Status }) {
  const t = useTexts(statusTexts);
  return <Badge tone={statusTones[status]}>{t[status]}</Badge>;
}

import type { Output } from '../../api/operations.ts';
import { Badge, type Tone } from '../../component/badge.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

export type Agent = Output<'list_agents'>['agents'][number];
type Status = Agent['status'];

export const agentStatuses = [
  'queued',
  'running',
  'completed',
  'failed',
  'timedOut',
  'cancelled',
  'resultReported',
] as const satisfies Status[];

export const agentStatusTexts = defineTexts<Record<Status, string>>({
  queued: { en: 'queued', ja: '待機中' },
  running: { en: 'running', ja: '実行中' },
  completed: { en: 'completed', ja: '完了' },
  failed: { en: 'failed', ja: '失敗' },
  timedOut: { en: 'timed out', ja: '時間切れ' },
  cancelled: { en: 'cancelled', ja: '中止' },
  resultReported: { en: 'reported', ja: '報告済み' },
});

export const agentTones: Readonly<Record<Status, Tone>> = {
  queued: 'wait',
  running: 'live',
  completed: 'plain',
  failed: 'bad',
  timedOut: 'bad',
  cancelled: 'plain',
  resultReported: 'held',
};

export function isLive(status: Status): boolean {
  return status === 'queued' || status === 'running';
}

export function AgentStatus({ status }: { readonly status: Status }) {
  const t = useTexts(agentStatusTexts);
  return <Badge tone={agentTones[status]}>{t[status]}</Badge>;
}

import { useState } from 'react';
import { usePages } from '../../api/pages.ts';
import { AgentName } from '../../component/agent-name.tsx';
import { Badge, type Tone } from '../../component/badge.tsx';
import { formatDuration } from '../../../src/graph/duration.ts';
import { Failure } from '../../component/failure.tsx';
import { Loading } from '../../component/loading.tsx';
import { More } from '../../component/more.tsx';
import { Time } from '../../component/time.tsx';
import { usePreferences } from '../../app/preferences.ts';
import { defineTexts, useTexts } from '../../text/text.ts';
import { taskConcern } from './concern.ts';
import { ExecutionLog } from './execution-log.tsx';

const texts = defineTexts({
  nothing: { en: 'No agent has worked on this task yet.', ja: 'このタスクはまだ作業されていません。' },
  running: { en: 'running', ja: '作業中' },
  completed: { en: 'completed', ja: '完了' },
  failed: { en: 'failed', ja: '失敗' },
  error: { en: 'interrupted', ja: '中断' },
  log: { en: 'Log', ja: 'ログ' },
  hide: { en: 'Hide the log', ja: 'ログを隠す' },
  exit: { en: (code: number) => `exit ${code}`, ja: (code) => `終了コード ${code}` },
});

const tones: Readonly<Record<'running' | 'completed' | 'failed' | 'error', Tone>> = {
  running: 'live',
  completed: 'plain',
  failed: 'bad',
  error: 'bad',
};

export function Executions({ taskId }: { readonly taskId: string }) {
  const t = useTexts(texts);
  const { lang } = usePreferences();
  const [open, setOpen] = useState('');
  const pages = usePages('list_execution_logs', { task_id: taskId, limit: 20 }, taskConcern, (answer) => answer.logs);
  if (pages.error !== null) return <Failure error={pages.error} retry={pages.retry} />;
  if (pages.rows === undefined) return <Loading />;
  if (pages.rows.length === 0) return <p className="dim">{t.nothing}</p>;
  return (
    <>
      <ul className="bare listed">
        {pages.rows.map((one) => (
          <li key={one.executionId}>
            <p className="meta">
              <b>
                <AgentName id={one.agentId} />
              </b>
              <Badge tone={tones[one.status]}>{t[one.status]}</Badge>
              {one.exitCode !== null && one.exitCode !== 0 && <span>{t.exit(one.exitCode)}</span>}
              {one.durationSeconds !== null && <span>{formatDuration(one.durationSeconds * 1000, lang)}</span>}
              <Time at={one.startedAt} />
              <button
                type="button"
                className="quiet"
                aria-expanded={open === one.executionId}
                onClick={() => setOpen(open === one.executionId ? '' : one.executionId)}
              >
                {open === one.executionId ? t.hide : t.log}
              </button>
            </p>
            {open === one.executionId && <ExecutionLog id={one.executionId} />}
          </li>
        ))}
      </ul>
      <More onMore={pages.more} isLoading={pages.isLoading} />
    </>
  );
}

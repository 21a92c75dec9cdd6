import { useState } from 'react';
import { useAction } from '../../api/action.ts';
import { kinds, useOperation } from '../../api/queries.ts';
import { Failure } from '../../component/failure.tsx';
import { Head } from '../../component/head.tsx';
import { Loading } from '../../component/loading.tsx';
import { Panel } from '../../component/panel.tsx';
import { ShortId } from '../../component/short-id.tsx';
import { statusTexts } from '../../component/task-status.tsx';
import type { ScreenProps } from '../../screens.ts';
import { Standing } from '../../component/standing.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { Instances } from '../work/instances.tsx';
import { ConfirmDialog } from '../../component/confirm-dialog.tsx';
import { AssignDialog } from './assign-dialog.tsx';

const texts = defineTexts({
  pause: { en: 'Pause', ja: '一時停止' },
  wake: { en: 'Resume', ja: '再開' },
  pauseIt: { en: 'Pause the project?', ja: 'プロジェクトを一時停止しますか?' },
  wakeIt: { en: 'Resume the project?', ja: 'プロジェクトを再開しますか?' },
  about: {
    en: 'Agents are started only for active projects. Agents that are already working can finish.',
    ja: 'エージェントが起動されるのは有効なプロジェクトだけです。作業中のエージェントは最後まで続けられます。',
  },
  assign: { en: 'Assign an agent', ja: 'エージェントを割り当てる' },
  tasks: { en: 'Tasks', ja: 'タスク' },
  folder: { en: 'Folder', ja: 'フォルダー' },
  autoStart: { en: 'Next tasks start automatically', ja: '次のタスクは自動で始まります' },
  agents: { en: 'Agents', ja: 'エージェント' },
});

export default function ProjectScreen({ params }: ScreenProps) {
  const t = useTexts(texts);
  const names = useTexts(statusTexts);
  const id = params['id'] ?? '';
  const [opened, setOpened] = useState<'status' | 'assign'>();
  const close = (): void => setOpened(undefined);
  const query = useOperation('get_project', { project_id: id }, kinds('project.', 'task.'));
  const set = useAction('set_project_status', close);
  if (query.error !== null) return <Failure error={query.error} retry={() => void query.refetch()} />;
  if (query.data === undefined) return <Loading />;
  const { project } = query.data;
  const isActive = project.status === 'active';
  return (
    <div className="run">
      <Head
        title={project.project_name}
        about={
          <span className="meta">
            <Standing status={project.status} />
            <ShortId id={project.project_id} length={16} />
            {project.auto_start && <span>{t.autoStart}</span>}
          </span>
        }
      >
        <button type="button" onClick={() => setOpened('status')}>
          {isActive ? t.pause : t.wake}
        </button>
        <button type="button" className="primary" onClick={() => setOpened('assign')}>
          {t.assign}
        </button>
      </Head>
      <Panel title={t.tasks}>
        <dl className="facts across">
          {Object.entries(project.tasks).map(([status, count]) => (
            <div key={status}>
              <dt>{names[status as keyof typeof names]}</dt>
              <dd>{count}</dd>
            </div>
          ))}
        </dl>
        <p className="meta">
          <span>{t.folder}</span>
          <span className="path">{project.working_directory}</span>
        </p>
      </Panel>
      <Panel title={t.agents}>
        <Instances of={{ project_id: id }} />
      </Panel>
      {opened === 'assign' && <AssignDialog projectId={id} assigned={project.agents} onClose={close} />}
      {opened === 'status' && (
        <ConfirmDialog
          title={isActive ? t.pauseIt : t.wakeIt}
          about={t.about}
          act={isActive ? t.pause : t.wake}
          error={set.error}
          isPending={set.isPending}
          onAct={() => set.mutate({ project_id: id, status: isActive ? 'paused' : 'active' })}
          onClose={close}
        />
      )}
    </div>
  );
}

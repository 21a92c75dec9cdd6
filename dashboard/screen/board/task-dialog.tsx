import { useState } from 'react';
import { useAction } from '../../api/action.ts';
import type { Output } from '../../api/operations.ts';
import { kinds, useOperation } from '../../api/queries.ts';
import { useFilter, useGo } from '../../app/address.ts';
import { Dialog } from '../../component/dialog.tsx';
import { Failure } from '../../component/failure.tsx';
import { type Priority, priorities, priorityTexts } from '../../component/task-status.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  create: { en: 'New task', ja: '新しいタスク' },
  edit: { en: 'Edit the task', ja: 'タスクを編集' },
  project: { en: 'Project', ja: 'プロジェクト' },
  noProject: {
    en: 'There is no project yet. Create one with sekisho admin create-project.',
    ja: 'プロジェクトがまだありません。sekisho admin create-project で作成してください。',
  },
  title: { en: 'Title', ja: 'タイトル' },
  description: { en: 'Description', ja: '説明' },
  priority: { en: 'Priority', ja: '優先度' },
  assignee: { en: 'Assignee', ja: '担当' },
  unassigned: { en: 'Unassigned', ja: 'なし' },
  labels: { en: 'Labels, separated by commas', ja: 'ラベル (カンマ区切り)' },
  acceptance: { en: 'Acceptance criteria, one per line', ja: '受け入れ条件 (1 行に 1 つ)' },
  make: { en: 'Create', ja: '作成' },
  save: { en: 'Save', ja: '保存' },
  cancel: { en: 'Cancel', ja: 'キャンセル' },
});

interface Props {
  /** Absent for a new task. */
  readonly task?: Output<'describe_task'>['task'];
  readonly onClose: () => void;
}

export function TaskDialog({ task, onClose }: Props) {
  const t = useTexts(texts);
  const priorityNames = useTexts(priorityTexts);
  const go = useGo();
  const [wanted] = useFilter('project_id');
  const { data } = useOperation('list_projects', { limit: 500 }, kinds('project.'));
  const [chosen, setChosen] = useState(task?.project_id ?? wanted);
  const project = chosen === '' ? (data?.projects[0]?.project_id ?? '') : chosen;
  const { data: pairs } = useOperation(
    'list_instances',
    { project_id: project, limit: 500 },
    kinds('project.', 'identity.'),
    { enabled: project !== '' },
  );
  const [title, setTitle] = useState(task?.title ?? '');
  const [description, setDescription] = useState(task?.description ?? '');
  const [priority, setPriority] = useState<Priority>(task?.priority ?? 'medium');
  const [assignee, setAssignee] = useState(task?.assignee_id ?? '');
  const [labels, setLabels] = useState(task?.labels.join(', ') ?? '');
  const [acceptance, setAcceptance] = useState(task?.acceptance.join('\n') ?? '');
  const create = useAction('create_task', (made) => {
    onClose();
    go(`/tasks/${made.task_id}`);
  });
  const update = useAction('update_task', onClose);
  const { error, isPending } = task === undefined ? create : update;
  const fields = { title, description, priority, labels: parts(labels, ','), acceptance: parts(acceptance, '\n') };
  return (
    <Dialog title={task === undefined ? t.create : t.edit} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (task === undefined)
            create.mutate({ project_id: project, ...fields, ...(assignee !== '' && { assignee_id: assignee }) });
          else
            update.mutate({
              task_id: task.task_id,
              expected_revision: task.revision,
              ...fields,
              assignee_id: assignee === '' ? null : assignee,
            });
        }}
      >
        {data?.projects.length === 0 && <p className="bad">{t.noProject}</p>}
        {task === undefined && (
          <label>
            {t.project}
            <select value={project} onChange={(event) => setChosen(event.target.value)}>
              {data?.projects.map((one) => (
                <option key={one.project_id} value={one.project_id}>
                  {one.project_name}
                </option>
              ))}
            </select>
          </label>
        )}
        <label>
          {t.title}
          <input required maxLength={500} value={title} onChange={(event) => setTitle(event.target.value)} />
        </label>
        <label>
          {t.description}
          <textarea rows={4} value={description} onChange={(event) => setDescription(event.target.value)} />
        </label>
        <label>
          {t.acceptance}
          <textarea rows={2} value={acceptance} onChange={(event) => setAcceptance(event.target.value)} />
        </label>
        <label>
          {t.priority}
          <select value={priority} onChange={(event) => setPriority(event.target.value as Priority)}>
            {priorities.map((one) => (
              <option key={one} value={one}>
                {priorityNames[one]}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t.assignee}
          <select value={assignee} onChange={(event) => setAssignee(event.target.value)}>
            <option value="">{t.unassigned}</option>
            {pairs?.instances.map((one) => (
              <option key={one.agent_id} value={one.agent_id}>
                {one.agent_name}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t.labels}
          <input value={labels} onChange={(event) => setLabels(event.target.value)} />
        </label>
        {error !== null && <Failure error={error} />}
        <div className="actions">
          <button type="button" onClick={onClose}>
            {t.cancel}
          </button>
          <button type="submit" className="primary" disabled={project === '' || title === '' || isPending}>
            {task === undefined ? t.make : t.save}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function parts(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

import { usePages } from '../../api/pages.ts';
import type { Output } from '../../api/operations.ts';
import { kinds } from '../../api/queries.ts';
import { Badge } from '../../component/badge.tsx';
import { Empty } from '../../component/empty.tsx';
import { Failure } from '../../component/failure.tsx';
import { Loading } from '../../component/loading.tsx';
import { More } from '../../component/more.tsx';
import { type Column, Table } from '../../component/table.tsx';
import { Time } from '../../component/time.tsx';
import { TaskNumber } from '../../component/task-number.tsx';
import { To } from '../../component/to.tsx';
import { Visible } from '../../component/visible.tsx';
import { Standing } from '../../component/standing.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  label: { en: 'Who works where', ja: '作業の割り当て' },
  agent: { en: 'Agent', ja: 'エージェント' },
  project: { en: 'Project', ja: 'プロジェクト' },
  session: { en: 'Session', ja: 'セッション' },
  works: { en: 'working', ja: '作業中' },
  noTask: { en: 'no task yet', ja: 'タスクなし' },
  rests: { en: 'none', ja: 'なし' },
  runner: { en: 'Runner', ja: 'Runner' },
  log: { en: 'log', ja: 'ログ' },
  failures: { en: 'Consecutive failures', ja: '連続失敗' },
  empty: { en: 'No agent is assigned to a project yet', ja: 'プロジェクトに割り当てられたエージェントはいません' },
  why: {
    en: 'Create a project and an agent, and assign the agent to the project. Then the agent can sign in, or a Runner can start it:',
    ja: 'プロジェクトとエージェントを作成して割り当てると、エージェントがサインインできるようになり、Runner からも起動できます:',
  },
});

type Instance = Output<'list_instances'>['instances'][number];

const everywhere = {};

interface Props {
  /** Shows only the instances of one project or of one agent. */
  readonly of?: { readonly project_id?: string; readonly agent_id?: string };
}

export function Instances({ of = everywhere }: Props) {
  const t = useTexts(texts);
  const pages = usePages(
    'list_instances',
    { ...of, limit: 50 },
    kinds('session.', 'instance.', 'agent.', 'project.', 'identity.', 'execution.', 'task.'),
    (answer) => answer.instances,
  );
  if (pages.error !== null) return <Failure error={pages.error} retry={pages.retry} />;
  if (pages.rows === undefined) return <Loading />;
  if (pages.rows.length === 0)
    return (
      <Empty title={t.empty} why={t.why} command="sekisho admin assign-agent --project-id prj_… --agent-id agt_…" />
    );
  const columns: readonly Column<Instance>[] = [
    {
      id: 'agent',
      title: t.agent,
      cell: (one: Instance) => (
        <>
          <To href={`/work/agents/${one.agent_id}`} row>
            <Visible text={one.agent_name} />
          </To>{' '}
          {one.agent_status !== 'active' && <Standing status={one.agent_status} />}
        </>
      ),
    },
    {
      id: 'project',
      title: t.project,
      cell: (one: Instance) => (
        <>
          <To href={`/work/projects/${one.project_id}`}>
            <Visible text={one.project_name} />
          </To>{' '}
          {one.project_status !== 'active' && <Standing status={one.project_status} />}
        </>
      ),
    },
    { id: 'session', title: t.session, cell: (one: Instance) => <Session session={one.session} /> },
    {
      id: 'runner',
      title: t.runner,
      cell: ({ runner }: Instance) =>
        runner === null ? (
          '–'
        ) : (
          <>
            <Visible text={runner.name} />{' '}
            {runner.instance !== null && <To href={`/fleet/agents/${runner.instance}`}>{t.log}</To>}
          </>
        ),
    },
    {
      id: 'failures',
      title: t.failures,
      cell: ({ failures, failed_at: at }: Instance) =>
        failures === 0 ? (
          '0'
        ) : (
          <>
            <Badge tone="bad">{failures}</Badge> {at !== null && <Time at={at} />}
          </>
        ),
    },
  ];
  // The column of the page's own subject is left out.
  const shown = columns.filter(({ id }) => of[`${id}_id` as keyof typeof of] === undefined);
  return (
    <>
      <Table label={t.label} columns={shown} rows={pages.rows} idOf={(one) => `${one.agent_id} ${one.project_id}`} />
      <More onMore={pages.more} isLoading={pages.isLoading} />
    </>
  );
}

function Session({ session }: { readonly session: Instance['session'] }) {
  const t = useTexts(texts);
  if (session === null) return <span className="dim">{t.rests}</span>;
  return (
    <span className="meta">
      <Badge tone="live">{t.works}</Badge>
      {session.task_id === null ? (
        <span>{t.noTask}</span>
      ) : (
        <To href={`/tasks/${session.task_id}`}>
          <TaskNumber number={session.task_number} />
          <Visible text={session.task_title ?? session.task_id} />
        </To>
      )}
      <Time at={session.since} />
    </span>
  );
}

import { usePages } from '../../api/pages.ts';
import { Actor } from '../../component/actor.tsx';
import { Badge } from '../../component/badge.tsx';
import { Failure } from '../../component/failure.tsx';
import { Fold } from '../../component/fold.tsx';
import { JsonTree } from '../../component/json-tree.tsx';
import { Loading } from '../../component/loading.tsx';
import { More } from '../../component/more.tsx';
import { Time } from '../../component/time.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { taskConcern } from './concern.ts';

const texts = defineTexts({
  work: { en: 'Work', ja: '作業' },
  gate: { en: 'Gate', ja: 'ゲート' },
  fleet: { en: 'Fleet', ja: 'フリート' },
  upstream: { en: 'Upstream', ja: '上流サーバー' },
  phase: { en: 'Phase', ja: 'フェーズ' },
  hook: { en: 'Hook', ja: 'フック' },
  details: { en: 'Details', ja: '詳細' },
});

/** The toolset by the prefix of an entry's kind. */
const toolsets: Readonly<Record<string, keyof typeof texts>> = {
  run: 'gate',
  file: 'gate',
  agent: 'fleet',
  group: 'fleet',
  role: 'fleet',
  upstream: 'upstream',
  tool: 'upstream',
  phase: 'phase',
  prompt: 'phase',
  hook: 'hook',
};

/** The journal entries of a task from all toolsets, oldest first. */
export function TaskTimeline({ taskId }: { readonly taskId: string }) {
  const t = useTexts(texts);
  const pages = usePages('get_timeline', { task_id: taskId, limit: 30 }, taskConcern, (answer) => answer.entries);
  if (pages.error !== null) return <Failure error={pages.error} retry={pages.retry} />;
  if (pages.rows === undefined) return <Loading />;
  return (
    <>
      <ol className="history">
        {pages.rows.map((entry) => (
          <li key={entry.seq}>
            <p>
              <b>{entry.kind}</b> <Badge>{t[toolsets[entry.kind.split('.')[0] ?? ''] ?? 'work']}</Badge>
            </p>
            <p className="meta">
              <Actor name={entry.actor} />
              <Time at={entry.at} />
            </p>
            <Changes data={entry.data} />
            <Fold title={<span className="dim">{t.details}</span>}>
              {() => <JsonTree value={entry.data} open={false} />}
            </Fold>
          </li>
        ))}
      </ol>
      <More onMore={pages.more} isLoading={pages.isLoading} />
    </>
  );
}

/** The fields that an entry changed, if they are short enough for a line. */
function Changes({ data }: { readonly data: unknown }) {
  const { changes = {} } = (data ?? {}) as {
    changes?: Readonly<Record<string, { from: string | null; to: string | null }>>;
  };
  const lines = Object.entries(changes)
    .filter(([field]) => shown.includes(field))
    .map(([field, { from, to }]) => `${field}: ${from ?? '–'} → ${to ?? '–'}`);
  return lines.map((line) => (
    <p key={line}>
      <Visible text={line} />
    </p>
  ));
}

const shown: readonly string[] = ['status', 'priority', 'title', 'assigneeId', 'assignee_id'];

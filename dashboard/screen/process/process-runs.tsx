import { usePages } from '../../api/pages.ts';
import { kinds } from '../../api/queries.ts';
import { Failure } from '../../component/failure.tsx';
import { Loading } from '../../component/loading.tsx';
import { More } from '../../component/more.tsx';
import { RunState } from '../../component/run-state.tsx';
import { Time } from '../../component/time.tsx';
import { To } from '../../component/to.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  none: { en: 'This process has no runs yet.', ja: 'このプロセスの run はまだありません。' },
});

export function ProcessRuns({ processId }: { readonly processId: string }) {
  const t = useTexts(texts);
  const pages = usePages(
    'state_gate.list_runs',
    { process_id: processId, limit: 10 },
    kinds('run.'),
    (answer) => answer.runs,
  );
  if (pages.error !== null) return <Failure error={pages.error} retry={pages.retry} />;
  if (pages.rows === undefined) return <Loading />;
  if (pages.rows.length === 0) return <p className="dim">{t.none}</p>;
  return (
    <>
      <ul className="bare entries">
        {pages.rows.map((run) => (
          <li key={run.run_id}>
            <To href={`/runs/${run.run_id}`} row>
              <Visible text={run.title ?? run.run_id.slice(0, 16)} />
            </To>
            <span className="meta">
              <RunState state={run.current_state} status={run.status} />
              <Time at={run.updated_at} />
            </span>
          </li>
        ))}
      </ul>
      <More onMore={pages.more} isLoading={pages.isLoading} />
    </>
  );
}

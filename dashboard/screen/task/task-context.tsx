import { usePages } from '../../api/pages.ts';
import { Actor } from '../../component/actor.tsx';
import { Failure } from '../../component/failure.tsx';
import { Loading } from '../../component/loading.tsx';
import { More } from '../../component/more.tsx';
import { Time } from '../../component/time.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { taskConcern } from './concern.ts';

const texts = defineTexts({
  nothing: {
    en: 'Nothing has been saved yet. Agents save their progress with save_context.',
    ja: 'まだ保存されていません。エージェントが save_context で保存します。',
  },
  progress: { en: 'Progress', ja: '進捗' },
  findings: { en: 'Findings', ja: 'わかったこと' },
  blockers: { en: 'Blockers', ja: '障害' },
  next_steps: { en: 'Next steps', ja: '次の手順' },
  earlier: { en: 'Earlier', ja: '以前の状況' },
});

const fields = ['progress', 'findings', 'blockers', 'next_steps'] as const;
type Saved = { readonly [F in (typeof fields)[number]]: string | null } & {
  readonly saved_by: string;
  readonly saved_at: string;
};

/** The context that agents saved for a task: the newest is open, older ones are folded. */
export function TaskContext({ taskId }: { readonly taskId: string }) {
  const t = useTexts(texts);
  const pages = usePages(
    'get_task_context',
    { task_id: taskId, include_history: true, limit: 20 },
    taskConcern,
    (answer) => answer.history ?? [],
  );
  if (pages.error !== null) return <Failure error={pages.error} retry={pages.retry} />;
  if (pages.rows === undefined) return <Loading />;
  const [latest, ...earlier] = pages.rows;
  if (latest === undefined) return <p className="dim">{t.nothing}</p>;
  return (
    <>
      <Version saved={latest} />
      {earlier.length > 0 && (
        <details className="process-table">
          <summary>{`${t.earlier} (${earlier.length}${pages.more === undefined ? '' : '+'})`}</summary>
          {earlier.map((saved) => (
            <Version key={saved.saved_at} saved={saved} />
          ))}
          <More onMore={pages.more} isLoading={pages.isLoading} />
        </details>
      )}
    </>
  );
}

function Version({ saved }: { readonly saved: Saved }) {
  const t = useTexts(texts);
  return (
    <div className="version">
      <dl className="facts">
        {fields.map((field) => {
          const text = saved[field];
          return text === null ? null : (
            <div key={field}>
              <dt>{t[field]}</dt>
              <dd className="written">
                <Visible text={text} />
              </dd>
            </div>
          );
        })}
      </dl>
      <p className="meta">
        <Actor name={saved.saved_by} />
        <Time at={saved.saved_at} />
      </p>
    </div>
  );
}

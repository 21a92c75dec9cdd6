import { usePages } from '../../api/pages.ts';
import { about } from '../../api/queries.ts';
import { Actor } from '../../component/actor.tsx';
import { Failure } from '../../component/failure.tsx';
import { Loading } from '../../component/loading.tsx';
import { More } from '../../component/more.tsx';
import { Time } from '../../component/time.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  nothing: { en: 'No events yet.', ja: 'まだイベントはありません。' },
  stayed: { en: 'stayed in', ja: '状態を維持:' },
});

/** The history of a run, oldest first. */
export function History({ runId }: { readonly runId: string }) {
  const t = useTexts(texts);
  const pages = usePages(
    'state_gate.get_history',
    { run_id: runId, limit: 50 },
    about(runId),
    (answer) => answer.events,
  );
  if (pages.error !== null) return <Failure error={pages.error} retry={pages.retry} />;
  if (pages.rows === undefined) return <Loading />;
  if (pages.rows.length === 0) return <p className="dim">{t.nothing}</p>;
  return (
    <>
      <ol className="history">
        {pages.rows.map((event) => (
          <li key={event.event_id}>
            <p>
              <b>{event.event_name}</b>{' '}
              {event.from_state === event.to_state ? (
                <>
                  {t.stayed} {event.to_state}
                </>
              ) : (
                <>
                  {event.from_state} → {event.to_state}
                </>
              )}
            </p>
            <p className="meta">
              <Actor name={event.actor} />
              <span>r{event.revision}</span>
              <Time at={event.at} />
            </p>
            <Said text={event.payload[event.event_name === 'abort_run' ? 'reason' : 'comment']} />
            {event.artifacts.map(({ path, version }) => (
              <p key={path} className="meta">
                <span className="path">
                  <Visible text={path} />
                </span>
                <span>v{version}</span>
              </p>
            ))}
          </li>
        ))}
      </ol>
      <More onMore={pages.more} isLoading={pages.isLoading} />
    </>
  );
}

function Said({ text }: { readonly text: unknown }) {
  if (typeof text !== 'string') return null;
  return (
    <blockquote>
      <Visible text={text} />
    </blockquote>
  );
}

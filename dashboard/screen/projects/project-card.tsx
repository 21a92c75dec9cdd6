import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { call } from '../../api/client.ts';
import { addressOf } from '../../app/address.ts';
import { usePreferences } from '../../app/preferences.ts';
import { Badge } from '../../component/badge.tsx';
import { Failure } from '../../component/failure.tsx';
import { Time } from '../../component/time.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  waiting: { en: (count: string) => `${count} waiting for you`, ja: (count) => `承認待ち ${count} 件` },
  calm: { en: 'nothing waiting', ja: '待ちなし' },
  open: {
    en: (count: string) => `${count} ${count === '1' ? 'run' : 'runs'} in progress`,
    ja: (count) => `進行中の run ${count} 件`,
  },
  last: { en: 'Last change', ja: '最終更新' },
  never: { en: 'No runs yet', ja: 'run はまだありません' },
});

/** The polling interval. The stream covers only the open project, so the others are polled. */
const lookAgainMs = 10_000;
const limit = 50;

const counted = (rows: readonly unknown[], next: string | undefined): string =>
  next === undefined ? String(rows.length) : `${rows.length}+`;

export function ProjectCard({ path, name }: { readonly path: string; readonly name: string }) {
  const t = useTexts(texts);
  const { lang } = usePreferences();
  const query = useQuery({
    queryKey: ['overview', path, lang],
    queryFn: async ({ signal }) => {
      const [waiting, open, last] = await Promise.all([
        call(path, 'list_waiting', { limit }, signal),
        call(path, 'state_gate.list_runs', { open: true, limit }, signal),
        call(path, 'list_journal', { kind: 'run.', limit: 1 }, signal),
      ]);
      return { waiting, open, last: last.entries[0]?.at };
    },
    refetchInterval: lookAgainMs,
  });
  const { data, error } = query;
  return (
    <article className="card">
      <div className="card-main">
        <h3>
          <Link href={addressOf('/', path)} data-row="">
            {name}
          </Link>
        </h3>
        <p className="path dim">{path}</p>
        {error !== null && <Failure error={error} />}
      </div>
      {data !== undefined && (
        <div className="card-side">
          <p className="meta">
            {data.waiting.waiting.length > 0 ? (
              <Badge tone="wait">{t.waiting(counted(data.waiting.waiting, data.waiting.next_cursor))}</Badge>
            ) : (
              <Badge>{t.calm}</Badge>
            )}
            <span>{t.open(counted(data.open.runs, data.open.next_cursor))}</span>
          </p>
          <p className="meta">
            {data.last === undefined ? (
              t.never
            ) : (
              <>
                {t.last} <Time at={data.last} />
              </>
            )}
          </p>
        </div>
      )}
    </article>
  );
}

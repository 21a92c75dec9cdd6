import type { Output } from '../../api/operations.ts';
import { Actor } from '../../component/actor.tsx';
import { Badge } from '../../component/badge.tsx';
import { sizeText } from '../../component/size.ts';
import { Time } from '../../component/time.tsx';
import { To } from '../../component/to.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  approval: { en: 'Approval', ja: '承認' },
  ready: { en: 'waiting for your approval', ja: 'あなたの承認を待っています' },
  misses: {
    en: (count: number) => `${count} other ${count === 1 ? 'condition is' : 'conditions are'} not met yet`,
    ja: (count) => `ほかに ${count} 件の条件が未達です`,
  },
  revision: { en: (revision: number) => `revision ${revision}`, ja: (revision) => `リビジョン ${revision}` },
  nothing: { en: 'No file was submitted.', ja: '提出されたファイルはありません。' },
  more: { en: (count: number) => `and ${count} more`, ja: (count) => `ほか ${count} 件` },
});

const shown = 4;

/** A run that waits for a decision, with its evidence. */
export function WaitingCard({ waiting }: { readonly waiting: Output<'list_waiting'>['waiting'][number] }) {
  const t = useTexts(texts);
  const { run_id: id, process_name: process, title, state, revision, missing, evidence, since } = waiting;
  return (
    <article className="card">
      <div className="card-main">
        <p className="meta">
          <Badge tone="wait">{t.approval}</Badge>
          <Time at={since} />
        </p>
        <h3>
          <To href={`/approvals/${id}`} row>
            <Visible text={title === null ? process : `${process}: ${title}`} />
          </To>
        </h3>
        <p className="meta">
          <Badge tone="here">{state}</Badge>
          <span>{t.revision(revision)}</span>
          <code>{id.slice(0, 17)}…</code>
          <span>{missing.length === 0 ? t.ready : t.misses(missing.length)}</span>
        </p>
      </div>
      <ul className="card-side bare">
        {evidence.length === 0 && <li className="dim">{t.nothing}</li>}
        {evidence.slice(0, shown).map(({ path, version, size, actor }) => (
          <li key={path}>
            <span className="path">
              <Visible text={path} />
            </span>
            <span className="dim">
              v{version} · {sizeText(size)} · <Actor name={actor} />
            </span>
          </li>
        ))}
        {evidence.length > shown && <li className="dim">{t.more(evidence.length - shown)}</li>}
      </ul>
    </article>
  );
}

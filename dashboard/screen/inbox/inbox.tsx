import { useState } from 'react';
import type { Output } from '../../api/operations.ts';
import { kinds, useOperation } from '../../api/queries.ts';
import { usePages } from '../../api/pages.ts';
import { Empty } from '../../component/empty.tsx';
import { Failure } from '../../component/failure.tsx';
import { Head } from '../../component/head.tsx';
import { Loading } from '../../component/loading.tsx';
import { More } from '../../component/more.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { BatchDialog } from './batch-dialog.tsx';
import { FileCard } from './file-card.tsx';
import { MatterCard } from './matter-card.tsx';
import { WaitingCard } from './waiting-card.tsx';

const texts = defineTexts({
  title: { en: 'Inbox', ja: '受信箱' },
  about: {
    en: 'Everything that waits for your decision, newest first.',
    ja: 'あなたの判断を待っているもの (新しい順)。',
  },
  decide: { en: 'To decide', ja: '判断待ち' },
  together: {
    en: (process: string, state: string, count: number) => `${process} in ${state}: ${count} together…`,
    ja: (process, state, count) => `${process} (${state}) ${count} 件をまとめて…`,
  },
  matters: { en: 'Needs attention', ja: '対応が必要なもの' },
  files: { en: 'Files to review', ja: '確認が必要なファイル' },
  empty: { en: 'Nothing waits for you', ja: '待っているものはありません' },
  why: {
    en: 'When a run needs a person to continue, it appears here with the evidence that the agent submitted. To see one:',
    ja: '人の判断が必要な run が、エージェントの提出した証拠とともにここに表示されます。試すには:',
  },
});

type Waiting = Output<'list_waiting'>['waiting'][number];

/** The inbox: everything that waits for a person. */
export default function Inbox() {
  const t = useTexts(texts);
  const [batch, setBatch] = useState<readonly Waiting[]>();
  const waiting = usePages('list_waiting', { limit: 50 }, kinds('run.', 'file.'), (answer) => answer.waiting);
  const matters = useOperation('list_open_matters', {}, kinds('task.', 'handoff.', 'agent.', 'group.', 'upstream.'));
  const open = matters.data?.matters ?? [];
  const processes = useOperation('state_gate.list_processes', { limit: 200 }, kinds('file.', 'run.'));
  const unseen = (processes.data?.processes ?? []).filter(({ trust }) => trust !== 'trusted');
  if (waiting.error !== null) return <Failure error={waiting.error} retry={waiting.retry} />;
  if (waiting.rows === undefined) return <Loading />;
  return (
    <>
      <Head title={t.title} about={t.about} />
      {waiting.rows.length === 0 && unseen.length === 0 && open.length === 0 && (
        <Empty title={t.empty} why={t.why} command="sekisho gate create-run --process-id review" />
      )}
      {waiting.rows.length > 0 && (
        <section aria-labelledby="to-decide">
          <h2 id="to-decide" className="group">
            {t.decide}
          </h2>
          <p className="actions start batches">
            {batchesOf(waiting.rows).map((runs) => (
              <button key={runs[0]?.run_id} type="button" onClick={() => setBatch(runs)}>
                {t.together(runs[0]?.process_name ?? '', runs[0]?.state ?? '', runs.length)}
              </button>
            ))}
          </p>
          <ul className="cards">
            {waiting.rows.map((one) => (
              <li key={one.run_id}>
                <WaitingCard waiting={one} />
              </li>
            ))}
          </ul>
          <More onMore={waiting.more} isLoading={waiting.isLoading} />
        </section>
      )}
      {matters.error !== null && <Failure error={matters.error} retry={() => void matters.refetch()} />}
      {open.length > 0 && (
        <section aria-labelledby="open-matters">
          <h2 id="open-matters" className="group">
            {t.matters}
          </h2>
          <ul className="cards">
            {open.map((one) => (
              <li key={`${one.kind} ${one.subject}`}>
                <MatterCard matter={one} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {unseen.length > 0 && (
        <section aria-labelledby="unseen-files">
          <h2 id="unseen-files" className="group">
            {t.files}
          </h2>
          <ul className="cards">
            {unseen.map((one) => (
              <li key={one.source}>
                <FileCard file={one} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {batch !== undefined && <BatchDialog runs={batch} onClose={() => setBatch(undefined)} />}
    </>
  );
}

/** Groups runs that can be decided together: of one process, in one state, with nothing else missing. */
function batchesOf(rows: readonly Waiting[]): readonly (readonly Waiting[])[] {
  const alike = new Map<string, Waiting[]>();
  for (const one of rows.filter(({ ready, events }) => ready && events.includes('approve'))) {
    const key = JSON.stringify([one.process_id, one.state]);
    alike.set(key, [...(alike.get(key) ?? []), one]);
  }
  return [...alike.values()].filter((runs) => runs.length > 1);
}

import { useEffect, useState } from 'react';
import type { Output } from '../../api/operations.ts';
import { about, useOperation } from '../../api/queries.ts';
import { Evidence } from '../../component/evidence/evidence.tsx';
import { useReading } from '../../component/evidence/reading.ts';
import { Failure } from '../../component/failure.tsx';
import { Loading } from '../../component/loading.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  open: { en: 'Open the evidence', ja: '証拠を開く' },
  nothing: { en: 'No file was submitted.', ja: '提出されたファイルはありません。' },
});

type Run = Output<'describe_run'>;

const none: Run['artifacts'] = [];

interface Props {
  readonly waiting: Output<'list_waiting'>['waiting'][number];
  readonly outcome: string | undefined;
  readonly isChosen: boolean;
  /** Reports the run as the person reviewed it; undefined while some of its evidence is not reviewed. */
  readonly onRead: (id: string, run: Run | undefined) => void;
  readonly onChoose: (wanted: boolean) => void;
}

/** One run of a batch. It can be selected when all of its evidence was shown, or accepted unseen if it cannot be shown. */
export function BatchRun({ waiting, outcome, isChosen, onRead, onChoose }: Props) {
  const t = useTexts(texts);
  const [isOpen, setOpen] = useState(false);
  const run = useOperation('describe_run', { run_id: waiting.run_id }, about(waiting.run_id), { enabled: isOpen });
  const shown = run.data;
  const reading = useReading(shown?.artifacts ?? none);
  const read = reading.left === 0 ? shown : undefined;
  useEffect(() => onRead(waiting.run_id, read), [waiting.run_id, read, onRead]);
  const title = waiting.title ?? waiting.process_name;
  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          disabled={read === undefined || outcome !== undefined}
          checked={isChosen}
          onChange={(event) => onChoose(event.target.checked)}
        />
        <Visible text={title} />
      </label>
      {outcome !== undefined && (
        <p className="dim" role="status">
          {outcome}
        </p>
      )}
      {!isOpen && (
        <button type="button" className="quiet" aria-label={`${t.open}: ${title}`} onClick={() => setOpen(true)}>
          {t.open}
        </button>
      )}
      {isOpen && run.error !== null && <Failure error={run.error} />}
      {isOpen && shown === undefined && run.error === null && <Loading />}
      {shown?.artifacts.length === 0 && <p className="dim">{t.nothing}</p>}
      {shown?.artifacts.map((artifact) => (
        <Evidence
          key={`${artifact.path} ${artifact.digest}`}
          runId={shown.run_id}
          artifact={artifact}
          open
          {...(outcome === undefined && { reading })}
        />
      ))}
    </>
  );
}

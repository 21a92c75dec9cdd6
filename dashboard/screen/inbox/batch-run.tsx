import { useEffect, useState } from 'react';
import type { Output } from '../../api/operations.ts';
import { useOperation } from '../../api/queries.ts';
import { Evidence } from '../../component/evidence/evidence.tsx';
import { Failure } from '../../component/failure.tsx';
import { Loading } from '../../component/loading.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  open: { en: 'Open the evidence', ja: '証拠を開く' },
  nothing: { en: 'No file was handed in.', ja: '提出されたファイルはありません。' },
});

type Run = Output<'describe_run'>;

interface Props {
  readonly waiting: Output<'list_waiting'>['waiting'][number];
  readonly outcome: string | undefined;
  readonly isChosen: boolean;
  readonly onSeen: (run: Run) => void;
  readonly onChoose: (wanted: boolean) => void;
}

/** One run of several: it can be chosen once its evidence has been opened. */
export function BatchRun({ waiting, outcome, isChosen, onSeen, onChoose }: Props) {
  const t = useTexts(texts);
  const [isOpen, setOpen] = useState(false);
  const [shown, setShown] = useState<Run>();
  // Asked once: what is answered is what was shown, and not what came later.
  const run = useOperation('describe_run', { run_id: waiting.run_id }, () => false, { enabled: isOpen });
  useEffect(() => {
    if (run.data === undefined || shown !== undefined) return;
    setShown(run.data);
    onSeen(run.data);
  }, [run.data, shown, onSeen]);
  const title = waiting.title ?? waiting.process_name;
  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          disabled={shown === undefined || outcome !== undefined}
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
        <Evidence key={artifact.path} runId={shown.run_id} artifact={artifact} open />
      ))}
    </>
  );
}

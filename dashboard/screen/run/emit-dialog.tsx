import { useState } from 'react';
import { useAction } from '../../api/action.ts';
import type { Output } from '../../api/operations.ts';
import { Dialog } from '../../component/dialog.tsx';
import { Failure } from '../../component/failure.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { objectIn } from '../runs/new-run-dialog.tsx';

const texts = defineTexts({
  title: { en: (event: string) => `Emit ${event}?`, ja: (event) => `${event} を送りますか?` },
  about: {
    en: (revision: number) => `The event is emitted in your name, at revision ${revision}, and kept in the history.`,
    ja: (revision) => `イベントはあなたの名前で、リビジョン ${revision} に対して送られ、履歴に残ります。`,
  },
  files: { en: 'Files to submit, one per line', ja: '提出するファイル (1 行に 1 つ)' },
  payload: { en: 'Payload (JSON, optional)', ja: 'ペイロード (JSON、省略可)' },
  notJson: { en: 'This is not a JSON object.', ja: 'JSON オブジェクトではありません。' },
  emit: { en: 'Emit', ja: '送る' },
  cancel: { en: 'Cancel', ja: 'キャンセル' },
});

interface Props {
  readonly run: Output<'describe_run'>;
  readonly event: string;
  readonly onClose: () => void;
}

export function EmitDialog({ run, event, onClose }: Props) {
  const t = useTexts(texts);
  const [payload, setPayload] = useState('');
  const [files, setFiles] = useState('');
  const [key] = useState(() => `dashboard-${crypto.randomUUID()}`);
  const emit = useAction('state_gate.emit_event', onClose);
  const given = objectIn(payload);
  const paths = files
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return (
    <Dialog title={t.title(event)} onClose={onClose}>
      <form
        onSubmit={(submitted) => {
          submitted.preventDefault();
          emit.mutate({
            run_id: run.run_id,
            event_name: event,
            expected_revision: run.revision,
            idempotency_key: key,
            ...(given !== undefined && { payload: given }),
            ...(paths.length > 0 && { artifact_paths: paths }),
          });
        }}
      >
        <p>{t.about(run.revision)}</p>
        <label>
          {t.files}
          <textarea rows={2} className="code" value={files} onChange={(change) => setFiles(change.target.value)} />
        </label>
        <label>
          {t.payload}
          <textarea
            rows={3}
            className="code"
            spellCheck={false}
            value={payload}
            aria-invalid={given === undefined}
            onChange={(change) => setPayload(change.target.value)}
          />
        </label>
        {given === undefined && <p className="bad">{t.notJson}</p>}
        {emit.error !== null && <Failure error={emit.error} />}
        <div className="actions">
          <button type="button" onClick={onClose}>
            {t.cancel}
          </button>
          <button type="submit" className="primary" disabled={given === undefined || emit.isPending}>
            {t.emit}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

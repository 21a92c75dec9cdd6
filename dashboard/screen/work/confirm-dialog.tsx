import { Dialog } from '../../component/dialog.tsx';
import { Failure } from '../../component/failure.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({ cancel: { en: 'Cancel', ja: 'キャンセル' } });

interface Props {
  readonly title: string;
  /** What it does. */
  readonly about: string;
  readonly act: string;
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly onAct: () => void;
  readonly onClose: () => void;
}

/** Asks before it is done. */
export function ConfirmDialog({ title, about, act, error, isPending, onAct, onClose }: Props) {
  const t = useTexts(texts);
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{about}</p>
      {error !== null && <Failure error={error} />}
      <div className="actions">
        <button type="button" onClick={onClose}>
          {t.cancel}
        </button>
        <button type="button" className="primary" disabled={isPending} onClick={onAct}>
          {act}
        </button>
      </div>
    </Dialog>
  );
}

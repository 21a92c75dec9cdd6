import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { Failure } from './failure.tsx';
import { defineTexts, useTexts } from '../text/text.ts';

const texts = defineTexts({ cancel: { en: 'Cancel', ja: 'キャンセル' } });

interface Props {
  readonly title: string;
  /** The subject of the question, shown above `about`. */
  readonly children?: ReactNode;
  /** The effect of the action. */
  readonly about: string;
  readonly act: string;
  /** The label of the button that changes nothing; "Cancel" unless that would be ambiguous. */
  readonly keep?: string;
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly onAct: () => void;
  readonly onClose: () => void;
}

/** Asks for confirmation before an action. */
export function ConfirmDialog({ title, children, about, act, keep, error, isPending, onAct, onClose }: Props) {
  const t = useTexts(texts);
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <p>{about}</p>
      {error !== null && <Failure error={error} />}
      <div className="actions">
        <button type="button" onClick={onClose}>
          {keep ?? t.cancel}
        </button>
        <button type="button" className="primary" disabled={isPending} onClick={onAct}>
          {act}
        </button>
      </div>
    </Dialog>
  );
}

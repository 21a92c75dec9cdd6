import { useState } from 'react';
import { useAction } from '../../api/action.ts';
import { Dialog } from '../../component/dialog.tsx';
import { Failure } from '../../component/failure.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { Change } from './change.tsx';

const texts = defineTexts({
  label: { en: 'Move a label to a version', ja: 'ラベルの移動' },
  back: { en: 'Roll back', ja: 'ロールバック' },
  which: { en: 'Label', ja: 'ラベル' },
  version: { en: 'Version', ja: 'バージョン' },
  becomes: {
    en: (from: number, to: number) => `Clients that use this label will get version ${to} instead of version ${from}:`,
    ja: (from, to) => `このラベルを使うクライアントに渡されるバージョンが、${from} から ${to} に変わります:`,
  },
  fresh: {
    en: 'This label is new. No client uses it yet.',
    ja: '新しいラベルです。使っているクライアントはまだありません。',
  },
  same: { en: 'The label already points to this version.', ja: 'ラベルは既にそのバージョンを指しています。' },
  move: { en: 'Move the label', ja: 'ラベルを移動' },
  cancel: { en: 'Cancel', ja: 'キャンセル' },
});

interface Props {
  readonly prompt: string;
  /** `label`: move a label to a version. `back`: move it back to an earlier one. */
  readonly kind: 'label' | 'back';
  readonly labels: Readonly<Record<string, number>>;
  readonly versions: readonly number[];
  /** The version that is selected at first. */
  readonly version: number;
  readonly onClose: () => void;
}

/** Moves a label, after it has shown what changes for clients that use the label. */
export function MoveDialog({ prompt, kind, labels, versions, version, onClose }: Props) {
  const t = useTexts(texts);
  const [label, setLabel] = useState('production');
  const [to, setTo] = useState(version);
  const point = useAction('label_prompt', onClose);
  const back = useAction('roll_back_prompt', onClose);
  const action = kind === 'label' ? point : back;
  const now = labels[label.trim()];
  return (
    <Dialog title={t[kind]} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (kind === 'label') point.mutate({ prompt, label: label.trim(), version: to });
          else back.mutate({ prompt, label: label.trim(), to });
        }}
      >
        <label>
          {t.which}
          <input value={label} onChange={(event) => setLabel(event.target.value)} />
        </label>
        <label>
          {t.version}
          <select value={to} onChange={(event) => setTo(Number(event.target.value))}>
            {versions.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
        {now === undefined ? (
          <p className="dim">{t.fresh}</p>
        ) : now === to ? (
          <p className="dim">{t.same}</p>
        ) : (
          <>
            <p>{t.becomes(now, to)}</p>
            <Change prompt={prompt} from={now} to={to} />
          </>
        )}
        {action.error !== null && <Failure error={action.error} />}
        <div className="actions">
          <button type="button" onClick={onClose}>
            {t.cancel}
          </button>
          <button type="submit" className="primary" disabled={label.trim() === '' || now === to || action.isPending}>
            {t.move}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

import { useState } from 'react';
import { useAction } from '../../api/action.ts';
import { useGo } from '../../app/address.ts';
import { Dialog } from '../../component/dialog.tsx';
import { Failure } from '../../component/failure.tsx';
import { LazyWordDifference } from '../../component/lazy.tsx';
import { Tabs } from '../../component/tabs.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  title: { en: 'Publish a version', ja: 'バージョンを公開' },
  name: { en: 'Name', ja: '名前' },
  text: { en: 'Text', ja: '本文' },
  change: { en: 'Changes', ja: '変更点' },
  views: { en: 'Views', ja: '表示' },
  note: { en: 'What changed (optional)', ja: '変更の説明 (任意)' },
  label: { en: 'Label for this version', ja: 'このバージョンに付けるラベル' },
  variables: {
    en: '{{context.goal}} is a variable, {{goal?}} is an optional variable, {{> rules}} includes another prompt.',
    ja: '{{context.goal}} は変数、{{goal?}} は省略できる変数、{{> rules}} は別のプロンプトの取り込みです。',
  },
  publish: { en: 'Publish', ja: '公開' },
  cancel: { en: 'Cancel', ja: 'キャンセル' },
});

interface Props {
  /** The version before this one; absent for a new prompt. */
  readonly newest?: { readonly prompt: string; readonly version: number; readonly content: string };
  readonly onClose: () => void;
}

/** Publishes a new version, after it has shown the changes. It is refused if another version was published in between. */
export function PublishDialog({ newest, onClose }: Props) {
  const t = useTexts(texts);
  const go = useGo();
  const [name, setName] = useState(newest?.prompt ?? '');
  const [content, setContent] = useState(newest?.content ?? '');
  const [note, setNote] = useState('');
  const [label, setLabel] = useState('production');
  const publish = useAction('publish_prompt', (made) => {
    onClose();
    go(`/prompt-library/${encodeURIComponent(made.prompt)}`);
  });
  const edit = () => (
    <>
      <textarea
        aria-label={t.text}
        className="code"
        rows={12}
        value={content}
        onChange={(event) => setContent(event.target.value)}
      />
      <p className="dim">{t.variables}</p>
    </>
  );
  return (
    <Dialog title={t.title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          publish.mutate({
            prompt: name.trim(),
            content,
            expected_version: newest?.version ?? 0,
            labels: label.trim() === '' ? [] : [label.trim()],
            ...(note.trim() !== '' && { note: note.trim() }),
          });
        }}
      >
        {newest === undefined && (
          <label>
            {t.name}
            <input value={name} onChange={(event) => setName(event.target.value)} />
          </label>
        )}
        <Tabs
          label={t.views}
          tabs={[
            { id: 'text', title: t.text, view: edit },
            {
              id: 'change',
              title: t.change,
              view: () => <LazyWordDifference before={newest?.content ?? ''} after={content} />,
            },
          ]}
        />
        <label>
          {t.note}
          <input value={note} onChange={(event) => setNote(event.target.value)} />
        </label>
        <label>
          {t.label}
          <input value={label} onChange={(event) => setLabel(event.target.value)} />
        </label>
        {publish.error !== null && <Failure error={publish.error} />}
        <div className="actions">
          <button type="button" onClick={onClose}>
            {t.cancel}
          </button>
          <button
            type="submit"
            className="primary"
            disabled={name.trim() === '' || content.trim() === '' || publish.isPending}
          >
            {t.publish}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../api/client.ts';
import { useAction } from '../../api/action.ts';
import type { Output } from '../../api/operations.ts';
import { useProject } from '../../app/project.tsx';
import { Dialog } from '../../component/dialog.tsx';
import { Failure } from '../../component/failure.tsx';
import { Loading } from '../../component/loading.tsx';
import { ShortId } from '../../component/short-id.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { isWhatWasSeen } from './what-was-seen.ts';

const texts = defineTexts({
  approve: { en: 'Approve this evidence?', ja: 'この証拠を承認しますか?' },
  reject: { en: 'Send it back?', ja: '差し戻しますか?' },
  exactly: {
    en: (revision: number) => `Your answer counts for revision ${revision} and exactly these files:`,
    ja: (revision) => `回答の対象はリビジョン ${revision} と次のファイルの内容だけです:`,
  },
  nothing: { en: 'There are no files.', ja: 'ファイルはありません。' },
  changed: { en: 'the working copy differs', ja: '作業コピーと異なる' },
  moved: {
    en: 'The run has changed since you opened this page. Look at it again before you answer.',
    ja: 'ページを開いてから実行が変化しました。もう一度確認してから回答してください。',
  },
  comment: { en: 'Comment (kept in the history)', ja: 'コメント (履歴に残ります)' },
  why: { en: 'What should change? (kept in the history)', ja: '何を直すべきですか (履歴に残ります)' },
  doApprove: { en: 'Approve', ja: '承認する' },
  doReject: { en: 'Reject', ja: '却下する' },
  cancel: { en: 'Cancel', ja: 'キャンセル' },
});

interface Props {
  readonly verdict: 'approve' | 'reject';
  /** As the person has seen it. */
  readonly run: Output<'describe_run'>;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Binds the answer to what was shown: revision and digests go with it, and what changed meanwhile is refused. */
export function DecisionDialog({ verdict, run, onClose, onDone }: Props) {
  const t = useTexts(texts);
  const project = useProject();
  const [comment, setComment] = useState('');
  const [seen] = useState(run);
  const asked = useQuery({
    queryKey: [project, verdict, 'ask', seen.run_id, seen.revision],
    queryFn: () => ask(project, verdict, { run_id: seen.run_id }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  const action = useAction(verdict, onDone);
  const bound = asked.data?.input;
  const isSame = bound === undefined || isWhatWasSeen(bound, seen);
  const isReady = bound !== undefined && isSame && (verdict === 'approve' || comment.trim() !== '');
  const send = (): void => {
    if (bound !== undefined) action.mutate({ ...bound, ...(comment.trim() !== '' && { comment: comment.trim() }) });
  };
  return (
    <Dialog title={t[verdict]} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) send();
        }}
      >
        <p>{seen.artifacts.length === 0 ? t.nothing : t.exactly(seen.revision)}</p>
        <ul className="bare digests">
          {seen.artifacts.map(({ path, digest, is_unchanged: isUnchanged }) => (
            <li key={path}>
              <span className="path">
                <Visible text={path} />
              </span>
              <ShortId id={digest} />
              {isUnchanged === false && <span className="bad">{t.changed}</span>}
            </li>
          ))}
        </ul>
        <label>
          {verdict === 'approve' ? t.comment : t.why}
          <textarea
            rows={3}
            maxLength={10_000}
            required={verdict === 'reject'}
            value={comment}
            onChange={(event) => setComment(event.target.value)}
          />
        </label>
        {asked.isPending && <Loading />}
        {asked.error !== null && <Failure error={asked.error} />}
        {!isSame && <p className="notice bad">{t.moved}</p>}
        {action.error !== null && <Failure error={action.error} />}
        <div className="actions">
          <button type="button" onClick={onClose}>
            {t.cancel}
          </button>
          <button type="submit" className="primary" disabled={!isReady || action.isPending}>
            {verdict === 'approve' ? t.doApprove : t.doReject}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ask } from '../../api/client.ts';
import { useAction } from '../../api/action.ts';
import type { Output } from '../../api/operations.ts';
import { useRefresh } from '../../api/queries.ts';
import { useProject } from '../../app/project.tsx';
import type { Artifact } from '../../component/evidence/reading.ts';
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
    en: (revision: number) => `Your approval covers revision ${revision} and exactly these files:`,
    ja: (revision) => `承認の対象は、リビジョン ${revision} と次のファイルの内容だけです:`,
  },
  sendBack: {
    en: (revision: number) => `You send back revision ${revision} with these files:`,
    ja: (revision) => `リビジョン ${revision} と次のファイルを差し戻します:`,
  },
  nothing: { en: 'There are no files.', ja: 'ファイルはありません。' },
  changed: { en: 'the working copy differs', ja: '作業コピーと異なる' },
  unseen: { en: 'not shown', ja: '表示できません' },
  sendBackNow: {
    en: 'The run has changed since you opened this page. Your rejection is for the run as it is now.',
    ja: '表示後に内容が変わりました。差し戻しの対象は現在の run です。',
  },
  moved: {
    en: 'The run has changed since you opened this page. Close this dialog and review it again.',
    ja: '表示後に内容が変わりました。このダイアログを閉じて、もう一度確認してください。',
  },
  comment: { en: 'Comment (kept in the history)', ja: 'コメント (履歴に残ります)' },
  why: { en: 'What should change? (kept in the history)', ja: '修正してほしい点 (履歴に残ります)' },
  doApprove: { en: 'Approve', ja: '承認する' },
  doReject: { en: 'Reject', ja: '差し戻す' },
  cancel: { en: 'Cancel', ja: 'キャンセル' },
});

interface Props {
  readonly verdict: 'approve' | 'reject';
  /** The run as it was shown to the person. */
  readonly run: Output<'describe_run'>;
  /** Files that could not be shown. */
  readonly unseen: readonly Artifact[];
  readonly onClose: () => void;
  readonly onDone: (answer: Output<'approve'>) => void;
}

/**
 * Binds an approval to what was shown: it sends revision and digests, and is refused if they have changed. A rejection is
 * bound to the revision only, so an agent that keeps writing files cannot prevent it.
 */
export function DecisionDialog({ verdict, run, unseen, onClose, onDone }: Props) {
  const t = useTexts(texts);
  const project = useProject();
  const refresh = useRefresh();
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
  useEffect(() => {
    if (!isSame) refresh();
  }, [isSame, refresh]);
  const isReady = bound !== undefined && (verdict === 'approve' ? isSame : comment.trim() !== '');
  const send = (): void => {
    if (bound === undefined) return;
    const { evidence, ...rest } = bound;
    action.mutate({
      ...rest,
      ...(verdict === 'approve' && { evidence }),
      ...(comment.trim() !== '' && { comment: comment.trim() }),
    });
  };
  return (
    <Dialog title={t[verdict]} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) send();
        }}
      >
        <p>
          {seen.artifacts.length === 0 ? t.nothing : (verdict === 'approve' ? t.exactly : t.sendBack)(seen.revision)}
        </p>
        <ul className="bare digests">
          {seen.artifacts.map(({ path, digest, is_unchanged: isUnchanged }) => (
            <li key={path}>
              <span className="path">
                <Visible text={path} />
              </span>
              <ShortId id={digest} />
              {unseen.some((one) => one.path === path) && <span className="bad">{t.unseen}</span>}
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
        {!isSame &&
          (verdict === 'approve' ? <p className="notice bad">{t.moved}</p> : <p className="notice">{t.sendBackNow}</p>)}
        {action.error !== null && <Failure error={action.error} />}
        <div className="actions decide">
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

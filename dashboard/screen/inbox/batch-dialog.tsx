import { useMutation } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { ask, call } from '../../api/client.ts';
import type { Output } from '../../api/operations.ts';
import { useRefresh } from '../../api/queries.ts';
import { useProject } from '../../app/project.tsx';
import { Dialog } from '../../component/dialog.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { isWhatWasSeen } from '../approval/what-was-seen.ts';
import { BatchRun } from './batch-run.tsx';

const texts = defineTexts({
  title: {
    en: (process: string, state: string) => `${process}: ${state}`,
    ja: (process, state) => `${process}: ${state}`,
  },
  about: {
    en: 'Open the evidence of each run that you want to approve. Each approval covers only what you saw.',
    ja: '承認する run の証拠をそれぞれ開いてください。承認の対象は、あなたが見た内容だけです。',
  },
  approve: { en: (count: number) => `Approve ${count}`, ja: (count) => `${count} 件を承認` },
  approved: { en: 'approved', ja: '承認しました' },
  stays: {
    en: (state: string, reasons: string) => `approved, but the run is still in “${state}”: ${reasons}`,
    ja: (state, reasons) => `承認しましたが、run はまだ「${state}」のままです: ${reasons}`,
  },
  waits: {
    en: (state: string) => `approved; the run leaves “${state}” with the next event`,
    ja: (state) => `承認しました。次のイベントで「${state}」から先へ進みます`,
  },
  moved: { en: 'it has changed since: review it again', ja: '表示後に変わりました。もう一度確認してください' },
  close: { en: 'Close', ja: '閉じる' },
});

type Waiting = Output<'list_waiting'>['waiting'][number];
type Run = Output<'describe_run'>;

/** Decides several runs that wait in one state of one process. Each must be reviewed first. */
export function BatchDialog({ runs, onClose }: { readonly runs: readonly Waiting[]; readonly onClose: () => void }) {
  const t = useTexts(texts);
  const project = useProject();
  const refresh = useRefresh();
  const [all] = useState(runs);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [seen, setSeen] = useState<ReadonlyMap<string, Run>>(new Map());
  const onRead = useCallback((id: string, run: Run | undefined): void => {
    setSeen((before) => {
      const after = new Map(before);
      if (run === undefined) after.delete(id);
      else after.set(id, run);
      return after;
    });
    // A run that changed after it was selected must be reviewed and selected again.
    if (run === undefined) setChosen((before) => new Set([...before].filter((one) => one !== id)));
  }, []);
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, string>>(new Map());
  const tell = (id: string, outcome: string): void => {
    setOutcomes((before) => new Map(before).set(id, outcome));
    setChosen((before) => new Set([...before].filter((one) => one !== id)));
  };
  const outcomeOf = ({ moved, missing_guards: missing = [], transition }: Output<'approve'>): string => {
    if (moved) return t.approved;
    return missing.length === 0 ? t.waits(transition.to_state) : t.stays(transition.to_state, missing.join('; '));
  };
  const approve = useMutation({
    async mutationFn() {
      for (const id of chosen) {
        const run = seen.get(id);
        if (run === undefined) continue;
        try {
          const { input } = await ask(project, 'approve', { run_id: id });
          if (!isWhatWasSeen(input, run)) tell(id, t.moved);
          else {
            tell(id, outcomeOf(await call(project, 'approve', input)));
          }
        } catch (error) {
          tell(id, error instanceof Error ? error.message : String(error));
        }
      }
    },
    onSettled: refresh,
  });
  const [first] = all;
  return (
    <Dialog title={t.title(first?.process_name ?? '', first?.state ?? '')} onClose={onClose}>
      <p>{t.about}</p>
      <ul className="bare listed">
        {all.map((one) => (
          <li key={one.run_id}>
            <BatchRun
              waiting={one}
              outcome={outcomes.get(one.run_id)}
              isChosen={chosen.has(one.run_id)}
              onRead={onRead}
              onChoose={(wanted) =>
                setChosen((before) => new Set([...before, one.run_id].filter((id) => wanted || id !== one.run_id)))
              }
            />
          </li>
        ))}
      </ul>
      <div className="actions decide">
        <button type="button" onClick={onClose}>
          {t.close}
        </button>
        <button
          type="button"
          className="primary"
          disabled={chosen.size === 0 || approve.isPending}
          onClick={() => approve.mutate()}
        >
          {t.approve(chosen.size)}
        </button>
      </div>
    </Dialog>
  );
}

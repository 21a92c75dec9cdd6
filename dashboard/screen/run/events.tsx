import { useState } from 'react';
import type { Output } from '../../api/operations.ts';
import { To } from '../../component/to.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { EmitDialog } from './emit-dialog.tsx';

const texts = defineTexts({
  nothing: {
    en: 'Nothing for you to do: the next step is up to an agent.',
    ja: '今、人が行う操作はありません。次はエージェントの番です。',
  },
  over: { en: 'The run has ended.', ja: 'run は終了しました。' },
  decide: { en: 'Approve or reject', ja: '承認または差し戻し' },
  emit: { en: (event: string) => `Emit ${event}`, ja: (event) => `${event} を送る` },
});

/** The events that a person can emit in this state. Approvals have their own screen. */
export function Events({ run }: { readonly run: Output<'describe_run'> }) {
  const t = useTexts(texts);
  const [event, setEvent] = useState<string>();
  const names = [...new Set(run.ways.filter((way) => way.is_yours).map((way) => way.event))];
  const plain = names.filter((name) => name !== 'approve' && name !== 'reject');
  if (run.is_final) return <p className="dim">{t.over}</p>;
  return (
    <div className="actions start">
      {run.answers.length > 0 && <To href={`/approvals/${run.run_id}`}>{t.decide}</To>}
      {plain.map((name) => (
        <button key={name} type="button" onClick={() => setEvent(name)}>
          {t.emit(name)}
        </button>
      ))}
      {run.answers.length === 0 && plain.length === 0 && <p className="dim">{t.nothing}</p>}
      {event !== undefined && <EmitDialog run={run} event={event} onClose={() => setEvent(undefined)} />}
    </div>
  );
}

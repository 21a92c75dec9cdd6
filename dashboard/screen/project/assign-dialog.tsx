import { useState } from 'react';
import { useAction } from '../../api/action.ts';
import { Dialog } from '../../component/dialog.tsx';
import { Failure } from '../../component/failure.tsx';
import { More } from '../../component/more.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { useIdentities } from '../work/use-identities.ts';

const texts = defineTexts({
  title: { en: 'Assign an agent', ja: 'エージェントを割り当てる' },
  agent: { en: 'Agent', ja: 'エージェント' },
  none: { en: 'All agents are already assigned.', ja: 'すべてのエージェントが割り当て済みです。' },
  assign: { en: 'Assign', ja: '割り当てる' },
  cancel: { en: 'Cancel', ja: 'キャンセル' },
});

interface Props {
  readonly projectId: string;
  readonly assigned: readonly string[];
  readonly onClose: () => void;
}

export function AssignDialog({ projectId, assigned, onClose }: Props) {
  const t = useTexts(texts);
  const { rows, more, isLoading } = useIdentities();
  const [chosen, setChosen] = useState('');
  const assign = useAction('assign_agent', onClose);
  const free = (rows ?? []).filter((one) => !assigned.includes(one.id));
  const agent = chosen === '' ? (free[0]?.id ?? '') : chosen;
  return (
    <Dialog title={t.title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          assign.mutate({ project_id: projectId, agent_id: agent });
        }}
      >
        {rows !== undefined && more === undefined && free.length === 0 && <p className="dim">{t.none}</p>}
        <label>
          {t.agent}
          <select value={agent} onChange={(event) => setChosen(event.target.value)}>
            {free.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
        <More onMore={more} isLoading={isLoading} />
        {assign.error !== null && <Failure error={assign.error} />}
        <div className="actions">
          <button type="button" onClick={onClose}>
            {t.cancel}
          </button>
          <button type="submit" className="primary" disabled={agent === '' || assign.isPending}>
            {t.assign}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

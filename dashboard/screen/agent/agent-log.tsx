import { useMemo } from 'react';
import { Failure } from '../../component/failure.tsx';
import { Lines } from '../../component/lines.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { useAgentLog } from './use-agent-log.ts';

const texts = defineTexts({
  nothing: { en: 'No output yet.', ja: 'まだ出力はありません。' },
  nothingEver: { en: 'No output.', ja: '出力はありません。' },
});

/** The live output of an agent. */
export function AgentLog({ agentId }: { readonly agentId: string }) {
  const t = useTexts(texts);
  const { lines, isOver, error } = useAgentLog(agentId);
  const shown = useMemo(() => lines.map((text) => ({ change: 'same' as const, text })), [lines]);
  return (
    <>
      {error !== undefined && <Failure error={error} />}
      {lines.length === 0 && error === undefined && <p className="dim">{isOver ? t.nothingEver : t.nothing}</p>}
      {lines.length > 0 && <Lines lines={shown} follow />}
    </>
  );
}

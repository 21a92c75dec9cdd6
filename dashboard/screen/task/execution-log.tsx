import { useMemo } from 'react';
import { usePages } from '../../api/pages.ts';
import { about } from '../../api/queries.ts';
import { Failure } from '../../component/failure.tsx';
import { Lines } from '../../component/lines.tsx';
import { Loading } from '../../component/loading.tsx';
import { More } from '../../component/more.tsx';
import { To } from '../../component/to.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { uncoloured } from '../../text/uncoloured.ts';

const texts = defineTexts({
  nothing: { en: 'No output.', ja: '出力はありません。' },
  agent: { en: 'The log is on the page of the agent', ja: 'ログはエージェントのページにあります' },
});

/** The output of an execution. */
export function ExecutionLog({ id }: { readonly id: string }) {
  const t = useTexts(texts);
  const pages = usePages('read_execution_log', { execution_id: id, limit: 500 }, about(id), (answer) => [answer]);
  const lines = useMemo(
    () =>
      (pages.rows ?? [])
        .flatMap((page) => page.lines)
        .map((text) => ({ change: 'same' as const, text: uncoloured(text) })),
    [pages.rows],
  );
  if (pages.error !== null) return <Failure error={pages.error} />;
  if (pages.rows === undefined) return <Loading />;
  const instance = pages.rows[0]?.instance ?? null;
  if (instance !== null) return <To href={`/fleet/agents/${instance}`}>{t.agent}</To>;
  if (lines.length === 0) return <p className="dim">{t.nothing}</p>;
  return (
    <>
      <Lines lines={lines} />
      <More onMore={pages.more} isLoading={pages.isLoading} />
    </>
  );
}

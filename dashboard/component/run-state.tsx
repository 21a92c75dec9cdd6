import { defineTexts, useTexts } from '../text/text.ts';
import { Badge, type Tone } from './badge.tsx';

const texts = defineTexts({ aborted: { en: 'aborted', ja: '中止' } });

interface Props {
  readonly state: string;
  readonly status: 'open' | 'completed' | 'aborted';
  /** Of a run that is open. */
  readonly tone?: Tone;
}

/** Where a run stands. An aborted one is over, but not done. */
export function RunState({ state, status, tone = 'plain' }: Props) {
  const t = useTexts(texts);
  return (
    <>
      <Badge tone={status === 'open' ? tone : status === 'completed' ? 'held' : 'plain'}>{state}</Badge>
      {status === 'aborted' && <Badge tone="bad">{t.aborted}</Badge>}
    </>
  );
}

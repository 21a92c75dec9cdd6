import { defineTexts, useTexts } from '../text/text.ts';
import { Badge, type Tone } from './badge.tsx';

const texts = defineTexts({ aborted: { en: 'aborted', ja: '中止' } });

interface Props {
  readonly state: string;
  readonly status: 'open' | 'completed' | 'aborted';
  /** The tone of an open run. */
  readonly tone?: Tone;
}

/** The state of a run. An aborted run has ended, but is not done. */
export function RunState({ state, status, tone = 'plain' }: Props) {
  const t = useTexts(texts);
  return (
    <>
      <Badge tone={status === 'open' ? tone : status === 'completed' ? 'held' : 'plain'}>{state}</Badge>
      {status === 'aborted' && <Badge tone="bad">{t.aborted}</Badge>}
    </>
  );
}

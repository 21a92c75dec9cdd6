import { defineTexts, useTexts } from '../text/text.ts';
import { Actor } from './actor.tsx';
import { Time } from './time.tsx';
import { Visible } from './visible.tsx';

const texts = defineTexts({ aborted: { en: 'This run was aborted', ja: 'この run は中止されました' } });

interface Props {
  readonly aborted: { readonly by: string; readonly since: string; readonly reason: string } | null;
}

/** Says who aborted a run, and why. */
export function AbortedNotice({ aborted }: Props) {
  const t = useTexts(texts);
  if (aborted === null) return null;
  return (
    <div className="notice" role="status">
      <p className="meta">
        <b>{t.aborted}</b>
        <Actor name={aborted.by} />
        <Time at={aborted.since} />
      </p>
      <p>
        <Visible text={aborted.reason} />
      </p>
    </div>
  );
}

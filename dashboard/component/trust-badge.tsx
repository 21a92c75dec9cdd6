import type { Output } from '../api/operations.ts';
import { defineTexts, useTexts } from '../text/text.ts';
import { Badge } from './badge.tsx';

const texts = defineTexts({
  trusted: { en: 'Trusted', ja: '信頼済み' },
  changed: { en: 'Changed', ja: '変更あり' },
  removed: { en: 'Removed', ja: '削除済み' },
  never: { en: 'New', ja: '新規' },
});

/** Whether a file is what a person last reviewed. */
export function TrustBadge({ trust }: { readonly trust: Output<'describe_process'>['trust'] }) {
  const t = useTexts(texts);
  return <Badge tone={trust === 'trusted' ? 'held' : 'wait'}>{t[trust]}</Badge>;
}

import { defineTexts, useTexts } from '../text/text.ts';
import { Badge } from './badge.tsx';

const texts = defineTexts({
  active: { en: 'active', ja: '有効' },
  inactive: { en: 'inactive', ja: '停止中' },
  paused: { en: 'paused', ja: '一時停止中' },
  archived: { en: 'archived', ja: '保管済み' },
});

/** The status of a project or an agent in the work. */
export function Standing({ status }: { readonly status: string }) {
  const t = useTexts(texts);
  const word = Object.hasOwn(t, status) ? t[status as 'active'] : status;
  return <Badge tone={status === 'active' ? 'plain' : 'wait'}>{word}</Badge>;
}

import { defineTexts, useTexts } from '../text/text.ts';
import { Badge } from './badge.tsx';

const texts = defineTexts({
  connected: { en: 'Connected', ja: '接続済み' },
  disconnected: { en: 'Disconnected', ja: '切断中' },
  connecting: { en: 'Connecting', ja: '接続中' },
  idle: { en: 'Not connected yet', ja: '未接続' },
});

/** The state of the connection to an upstream. */
export function UpstreamState({ state }: { readonly state: string }) {
  const t = useTexts(texts);
  const word = Object.hasOwn(t, state) ? t[state as keyof typeof t] : state;
  const tone = state === 'connected' ? 'held' : state === 'disconnected' ? 'bad' : 'plain';
  return <Badge tone={tone}>{word}</Badge>;
}

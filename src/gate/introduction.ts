import { definePhrases } from '../kernel/text/text.ts';

/** What a client is told at the start. */
export const introduction = definePhrases({
  gate: {
    en: ({ getState, emitEvent }: { getState: string; emitEvent: string }) =>
      `Sekisho is the checkpoint for this project. Begin with ${getState}: it says where the current run stands, what is missing and which events you may emit. Submit evidence with ${emitEvent}; the gate decides the transition. Tools that the current state does not permit are refused.`,
    ja: ({ getState, emitEvent }) =>
      `Sekisho はこのプロジェクトの関所です。最初に ${getState} を呼ぶと、現在の状態、足りないもの、送れるイベントが分かります。証拠は ${emitEvent} で提出し、遷移はゲートが決めます。現在の状態で許可されていないツールは拒否されます。`,
  },
});

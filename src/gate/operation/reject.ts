import { judgement } from '../approval/judgement.ts';

export const reject = judgement('reject', {
  en: 'Send a run back as a reviewer: emits its reject event.',
  ja: 'レビュー担当として run を差し戻します (reject イベントを送ります)。',
});

import { judgement } from '../approval/judgement.ts';

export const approve = judgement('approve', {
  en: 'Approve the evidence of a run as a reviewer: emits its approve event.',
  ja: 'レビュー担当として run の証拠を承認します (approve イベントを送ります)。',
});

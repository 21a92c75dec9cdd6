import { judgement } from '../approval/judgement.ts';
import { words } from '../words.ts';

export const approve = judgement(
  'approve',
  words('Approve the evidence of a run as a reviewer: emits its approve event.'),
);

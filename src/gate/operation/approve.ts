import { judgementOperation } from '../approval/judgement.ts';
import { words } from '../words.ts';

export const approve = judgementOperation(
  'approve',
  words('Approve the evidence of a run as a reviewer: emits its approve event.'),
);

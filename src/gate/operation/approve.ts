import { judgement } from '../run/judgement.ts';

export const approve = judgement('approve', 'Approve the evidence of a run as a reviewer: emits its approve event.');

import { judgement } from '../judgement.ts';

export const approve = judgement('approve', 'Approve the evidence of a run as a reviewer: emits its approve event.');

import { judgement } from '../judgement.ts';

export const reject = judgement('reject', 'Send a run back as a reviewer: emits its reject event.');

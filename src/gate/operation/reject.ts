import { judgement } from '../run/judgement.ts';

export const reject = judgement('reject', 'Send a run back as a reviewer: emits its reject event.');

import { judgementOperation } from '../approval/judgement.ts';
import { words } from '../words.ts';

export const reject = judgementOperation('reject', words('Send a run back as a reviewer: emits its reject event.'));

import { callbackRunner } from '../kernel/callback.ts';
import { modules } from '../modules.ts';

/** Calls what a row remembers, whichever module has it. */
export const runCallback = callbackRunner(modules.flatMap((one) => one.callbacks ?? []));

import { callbackRunner } from '../kernel/callback.ts';
import { modules } from '../modules.ts';

/** Runs a callback that a row names, from whichever module has it. */
export const runCallback = callbackRunner(modules.flatMap((one) => one.callbacks ?? []));

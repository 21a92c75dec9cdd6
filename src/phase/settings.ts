import * as z from 'zod';

/** What `.sekisho/config.yaml` may say about this module: its keys at the top level. */
export const phaseSection = {} satisfies z.ZodRawShape;

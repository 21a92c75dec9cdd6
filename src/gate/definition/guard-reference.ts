import * as z from 'zod';
import type { GuardReference } from './definition.ts';

/** The schema of a guard's name or of an inline guard. Each guard type checks its own parameters. */
export const guardReference: z.ZodType<GuardReference> = z.union([
  z.string().min(1),
  z.looseObject({ type: z.string() }),
]);

import * as z from 'zod';
import type { GuardReference } from './definition.ts';

/** A guard's name, or a guard written in place; what is inside one is checked by its own kind. */
export const guardReference: z.ZodType<GuardReference> = z.union([
  z.string().min(1),
  z.looseObject({ type: z.string() }),
]);

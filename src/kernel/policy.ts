import type { Context } from './context.ts';
import { definePort } from './port.ts';
import type { Problem } from './problem.ts';
import { refusal } from './problem.ts';

/** May this actor call this tool now? Every surface asks before it runs an operation or forwards a call. */
export interface Policy {
  /** The refusal, or undefined where the tool may run or nobody has an opinion. */
  check(context: Context, tool: string): Promise<Problem | undefined>;
}

/** Where nobody can say what is permitted, nothing is. */
export const policyPort = definePort<Policy>('policy', {
  check: (context, tool) => Promise.resolve(refusal.toolset({ role: context.actor.role, toolset: tool })),
});

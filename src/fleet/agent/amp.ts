import type { AgentMarks } from '../../kernel/agent-marks.ts';

/** Amp is only detected, never started: its runs need its own service. */
export const amp: AgentMarks = {
  id: 'amp',
  environment: { marks: ['AMP_THREAD_ID'], session: ['AMP_THREAD_ID'] },
  clientName: /\bamp\b/i,
};

import type { AgentMarks } from '../../kernel/agent-marks.ts';

/** Its runs need its own service, so it is not started from here: it is only told from a person. */
export const amp: AgentMarks = {
  id: 'amp',
  environment: { marks: ['AMP_THREAD_ID'], session: ['AMP_THREAD_ID'] },
  clientName: /\bamp\b/i,
};

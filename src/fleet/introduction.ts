import { definePhrases } from '../kernel/text/text.ts';

/** What a client is told at the start. */
export const introduction = definePhrases({
  fleet: {
    en: () => 'run_agents starts other agents; wait_agent waits for them and has what they report.',
    ja: () => 'run_agents で他のエージェントを起動し、wait_agent で待って報告を受け取ります。',
  },
});

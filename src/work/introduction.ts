import { definePhrases } from '../kernel/text/text.ts';

/** What a client is told at the start. */
export const introduction = definePhrases({
  work: {
    en: () => 'An agent of a team begins with authenticate, then get_my_task, and ends with report_completed.',
    ja: () => 'チームのエージェントは authenticate、次に get_my_task を呼び、report_completed で終えます。',
  },
});

import * as z from 'zod';
import { entry } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { endSession, openSession } from '../session/sessions.ts';
import { sessionToken, success } from '../shapes.ts';
import { phrase, problem } from '../problem.ts';
import { words } from '../words.ts';

export const logout = defineOperation({
  name: 'logout',
  toolsets: ['work'],
  effect: 'write',
  summary: words('End the session. The task does not change.'),
  example: '--session-token sess_…',
  input: z.strictObject({ session_token: sessionToken }),
  output: z.object({ success, instruction: z.string() }),
  async run(given, input) {
    const { session, context } = await openSession(given, input.session_token);
    const outcome = await context.store.commit(
      endSession(session, { at: context.now().toISOString(), reason: 'logout' }),
      [entry(context, session.agentId, 'session.ended', { project: session.projectId, reason: 'logout' })],
    );
    if (!outcome.done) throw problem.INVALID_SESSION();
    return { success: true as const, instruction: context.say(phrase.instructionLoggedOut()) };
  },
});

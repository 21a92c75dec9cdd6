import * as z from 'zod';
import { entry } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { readAgent } from '../session/agents.ts';
import { checkPasskeyFile } from '../runner/passkey-file.ts';
import { handPasskey, handedPasskey } from '../session/hand-passkey.ts';
import { hashPasskey, makePasskey } from '../session/passkey.ts';
import { revokeSessions } from '../session/sessions.ts';
import { agentIdInput, keepInput, success } from '../shapes.ts';
import { words } from '../words.ts';

export const rotatePasskey = defineOperation({
  name: 'rotate_passkey',
  toolsets: ['admin'],
  effect: 'write',
  summary: words('Give an agent a new passkey. The old one and the agent’s sessions end immediately.'),
  example: '--agent-id agt_developer --keep',
  input: z.strictObject({ agent_id: agentIdInput, keep: keepInput }),
  output: z.object({ success, agent_id: z.string(), ...handedPasskey }),
  async run(context, input) {
    await readAgent(context, input.agent_id);
    if (input.keep === true) await checkPasskeyFile(context);
    const passkey = makePasskey();
    await context.store.commit(
      [
        {
          sql: 'update work_agent set passkey = :passkey, updated_at = :at where id = :id',
          args: { id: input.agent_id, passkey: await hashPasskey(passkey), at: context.now().toISOString() },
        },
        ...(await revokeSessions(context, input.agent_id)),
      ],
      [entry(context, input.agent_id, 'identity.passkey_rotated', {})],
    );
    return {
      success: true as const,
      agent_id: input.agent_id,
      ...handPasskey(context, input.agent_id, passkey, input.keep),
    };
  },
});

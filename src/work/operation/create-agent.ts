import * as z from 'zod';
import { entry } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { agentRecord } from '../session/agents.ts';
import { checkPasskeyFile } from '../runner/passkey-file.ts';
import { handPasskey, handedPasskey } from '../session/hand-passkey.ts';
import { hashPasskey, makePasskey } from '../session/passkey.ts';
import { agentSchema, keepInput, lineInput, longInput, newId, success } from '../shapes.ts';
import { problem } from '../problem.ts';
import { described, words } from '../words.ts';

export const createAgent = defineOperation({
  name: 'create_agent',
  toolsets: ['admin'],
  effect: 'write',
  summary: words('Create an agent. Its passkey is only in this answer, unless you keep it for a Runner.'),
  example: '--name frontend-dev --ai-type claude --system-prompt "You build the frontend." --keep',
  input: z.strictObject({
    name: described(lineInput, 'Display name'),
    ai_type: described(lineInput, 'Its agent CLI: claude, codex, gemini … or a key of runner.commands'),
    system_prompt: described(longInput.optional(), 'Its role and way of working; it gets this when it authenticates'),
    role: described(lineInput.optional(), 'Its role, in a word or two'),
    id: described(newId, 'Its id; a new one if omitted'),
    keep: keepInput,
  }),
  output: z.object({ success, agent_id: z.string(), agent: agentSchema, ...handedPasskey }),
  async run(context, input) {
    if (input.keep === true) await checkPasskeyFile(context);
    const at = context.now().toISOString();
    const passkey = makePasskey();
    const row = {
      id: input.id ?? context.newId('agt_'),
      ord: context.newId(''),
      name: input.name,
      role: input.role ?? '',
      ai_type: input.ai_type,
      system_prompt: input.system_prompt ?? '',
      status: 'active',
      passkey: await hashPasskey(passkey),
      created_at: at,
      updated_at: at,
    };
    const outcome = await context.store.commit(
      [
        {
          sql: `insert into work_agent (id, ord, name, role, ai_type, system_prompt, status, passkey, created_at, updated_at)
            values (:id, :ord, :name, :role, :ai_type, :system_prompt, :status, :passkey, :created_at, :updated_at)`,
          args: row,
          rows: 1,
        },
      ],
      [entry(context, row.id, 'identity.created', { name: row.name, ai_type: row.ai_type })],
    );
    if (!outcome.done) throw problem.ID_TAKEN({ id: row.id });
    return {
      success: true as const,
      agent_id: row.id,
      agent: agentRecord(row),
      ...handPasskey(context, row.id, passkey, input.keep),
    };
  },
});

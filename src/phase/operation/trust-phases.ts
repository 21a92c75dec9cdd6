import * as z from 'zod';
import { entry } from '../../kernel/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { commandsOf, trustWrite } from '../../gate/index.ts';
import { planOf } from '../plan/plan.ts';

export const trustPhases = defineOperation({
  name: 'trust_phases',
  toolsets: ['admin'],
  effect: 'write',
  idempotent: true,
  summary: 'Let the command guards of the configured phases run. A changed plan has to be trusted anew.',
  input: z.strictObject({}),
  output: z.object({ digest: z.string(), commands: z.array(z.string()).readonly() }),
  async confirm(context, input) {
    const commands = commandsOf(planOf(context));
    return commands.length === 0 ? undefined : { text: commands.map((line) => `runs: ${line}`).join('\n'), input };
  },
  async run(context) {
    const plan = planOf(context);
    const commands = commandsOf(plan);
    await context.store.commit(
      [trustWrite(plan.digest, 'phases', context.actor.id, context.now().toISOString())],
      [entry(context, 'phases', 'definition.trusted', { digest: plan.digest, commands })],
    );
    return { digest: plan.digest, commands };
  },
});

import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { findDefinition } from '../definition/catalogue.ts';
import { findState } from '../definition/definition.ts';
import { phrase } from '../phrase.ts';
import { guardedVariables } from '../run/machine.ts';
import { checkSize, payloadProblem } from '../run/payload.ts';
import { statePrompt } from '../run/prompt.ts';
import { trustNote, trustOutput } from '../view/trust-note.ts';
import { permissionsSchema } from '../shapes.ts';
import { bindingOutput, readBinding } from '../run/binding.ts';
import { startRun } from '../run/start-run.ts';
import { described, words } from '../words.ts';

export const createRun = defineOperation({
  name: 'state_gate.create_run',
  toolsets: ['gate'],
  effect: 'write',
  summary: words(
    'Start a run of a process. It becomes the current run of this checkout if none is open there; it never replaces an open one.',
  ),
  example: '--process-id explore-plan-implement-verify --context \'{"goal":"…"}\'',
  input: z.strictObject({
    process_id: described(z.string(), 'Process ID; list_processes shows them'),
    context: described(
      z.record(z.string(), z.unknown()).optional(),
      'Initial context values, in addition to the definition’s own',
    ),
  }),
  output: z.object({
    run_id: z.string(),
    process_id: z.string(),
    process_version: z.string(),
    current_state: z.string(),
    current_state_prompt: z.string().nullable(),
    tool_permissions: permissionsSchema,
    revision: z.number(),
    context: z.record(z.string(), z.unknown()),
    is_final: z.boolean(),
    is_current: z.boolean(),
    binding: bindingOutput,
    created_at: z.string(),
    ...trustOutput,
  }),
  async run(context, input) {
    const { definition, digest, file, trust } = await findDefinition(context, input.process_id);
    const given = input.context ?? {};
    checkSize(context, '/context', given);
    const read = guardedVariables(definition);
    const set = Object.keys(given).filter((key) => read.has(key) && !definition.inputs.includes(key));
    if (set.length > 0 && !context.actor.person)
      throw payloadProblem(
        set.map((key) => ({ path: `/context/${key}`, message: context.say(phrase.inputNotListed({ key })) })),
      );
    // A run of a definition that no person has reviewed must not take the place of a person's run.
    const isSeen = trust !== 'never' || context.actor.person || !context.project.registered;
    const binds = isSeen ? 'tree' : 'guest';
    const started = await startRun(context, { definition, digest, file, context: given, binds });
    const { id } = started;
    const outcome = await context.store.commit(started.writes, [started.entry]);
    if (!outcome.done) throw new Error(`run ${id} already exists`);
    const { isCurrent, binding } = await readBinding(context, id);
    return {
      run_id: id,
      process_id: definition.id,
      process_version: definition.version,
      current_state: definition.initial_state,
      current_state_prompt: statePrompt(definition, definition.initial_state, started.context),
      tool_permissions: findState(definition, definition.initial_state)?.tool_permissions ?? null,
      revision: 0,
      context: { ...started.context },
      is_final: started.isFinal,
      is_current: isCurrent,
      binding,
      created_at: started.at,
      ...trustNote(context, file, trust),
    };
  },
});

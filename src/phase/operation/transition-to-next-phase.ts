import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { findPhase, phaseLabel } from '../plan/plan.ts';
import { contextOfProject } from '../plan/project.ts';
import { projectPathInput } from '../shapes.ts';
import { transition } from '../plan/transition.ts';
import { phrase } from '../problem.ts';
import { described, words } from '../words.ts';

export const transitionToNextPhase = defineOperation({
  name: 'transition_to_next_phase',
  toolsets: ['phase'],
  effect: 'write',
  summary: words('Finish the phase in progress and begin the next one, or report that it is partly done or failed.'),
  example: '--current-phase phase0 --result \'{"status":"completed","outputFiles":["docs/requirements.md"]}\'',
  input: z.strictObject({
    currentPhase: described(z.string(), 'The phase in progress'),
    result: described(
      z.looseObject({
        status: described(
          z.enum(['completed', 'partial', 'failed']),
          'completed starts the next phase; partial and failed are saved, and the phase stays in progress',
        ),
        outputFiles: described(
          z.array(z.string()).optional(),
          'Files that the phase produced, relative to the project',
        ),
        summary: described(z.string().optional(), 'What was done, for the reader in the next phase'),
      }),
      'The result of the phase; further fields are kept',
    ),
    projectPath: projectPathInput,
  }),
  output: z.object({
    message: z.string(),
    nextPhase: described(z.string().nullable(), 'The phase that is in progress now; null if all are finished'),
    transitionedAt: z.string(),
  }),
  async run(context, input) {
    const { currentPhase, result } = input;
    findPhase(context, currentPhase);
    const { next, at } = await transition(contextOfProject(context, input.projectPath), currentPhase, result);
    const phase = phaseLabel(currentPhase);
    const message =
      result.status !== 'completed'
        ? context.say(phrase.kept({ phase, status: result.status }))
        : next === null
          ? context.say(phrase.finished({ phase }))
          : context.say(phrase.completed({ phase, next: phaseLabel(next) }));
    return { message, nextPhase: next, transitionedAt: at };
  },
  present: ({ message, nextPhase, transitionedAt }) => ({ text: message, beside: { nextPhase, transitionedAt } }),
});

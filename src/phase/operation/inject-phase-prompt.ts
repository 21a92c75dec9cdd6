import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { servePrompt } from '../prompt/serve.ts';
import { described, words } from '../words.ts';

export const injectPhasePrompt = defineOperation({
  name: 'inject_phase_prompt',
  toolsets: ['phase'],
  // The first call starts the run of the phases.
  effect: 'write',
  idempotent: true,
  summary: words('The prompt of a phase: read it when the phase begins and follow it.'),
  example: '--phase phase0',
  input: z.strictObject({
    phase: described(z.string(), 'Which phase; the configuration names them (phase0 … phase4 by default)'),
    context: described(
      z
        .looseObject({
          projectPath: described(z.string().optional(), 'Root of a project other than the server’s'),
          previousPhaseResults: described(
            z.record(z.string(), z.unknown()).optional(),
            'Results of the previous phases',
          ),
        })
        .optional(),
      'Values for the prompt; {{context.NAME}} in it is filled from here',
    ),
  }),
  output: z.object({
    prompt: z.string(),
    metadata: z.object({
      phase: z.string(),
      version: z.number(),
      fetchedAt: z.string(),
      cached: z.boolean(),
      title: z.string().nullable(),
      digest: described(z.string(), 'SHA-256 of the prompt as its source has it'),
      source: z.string(),
      warning: z.string().optional(),
    }),
  }),
  async run(context, input) {
    const { text, prompt, title, source } = await servePrompt(context, input.phase, input.context ?? {});
    context.log.info('inject_phase_prompt called', { phase: input.phase, cached: prompt.cached });
    return {
      prompt: text,
      metadata: {
        phase: input.phase,
        version: prompt.version,
        fetchedAt: prompt.fetchedAt,
        cached: prompt.cached,
        title: title ?? null,
        digest: prompt.digest,
        source,
        ...(prompt.warning !== undefined && { warning: prompt.warning }),
      },
    };
  },
  present: ({ prompt, metadata }) => ({ text: prompt, beside: { metadata } }),
});

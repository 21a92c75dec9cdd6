import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { servePrompt } from '../prompt/serve.ts';
import { told } from '../../kernel/text/described.ts';

export const injectPhasePrompt = defineOperation({
  name: 'inject_phase_prompt',
  toolsets: ['phase'],
  // The first who asks starts the run of the phases.
  effect: 'write',
  idempotent: true,
  summary: {
    en: 'The prompt of a phase: read it when the phase begins and follow it.',
    ja: 'フェーズのプロンプトです。フェーズの開始時に読み、それに従ってください。',
  },
  example: '--phase phase0',
  input: z.strictObject({
    phase: told(z.string(), {
      en: 'Which phase; the configuration names them (phase0 … phase4 by default)',
      ja: 'フェーズの ID (設定で決まります。既定は phase0 … phase4)',
    }),
    context: told(
      z
        .looseObject({
          projectPath: told(z.string().optional(), {
            en: 'Root of another project than the server’s',
            ja: 'サーバーとは別のプロジェクトのルート',
          }),
          previousPhaseResults: told(z.record(z.string(), z.unknown()).optional(), {
            en: 'Results of the phases before',
            ja: '前のフェーズの結果',
          }),
        })
        .optional(),
      {
        en: 'Values for the prompt; {{context.NAME}} in it is filled from here',
        ja: 'プロンプトに入れる値。{{context.NAME}} がここから埋められます',
      },
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
      digest: told(z.string(), {
        en: 'SHA-256 of the prompt as its source has it',
        ja: '取得元のプロンプトの SHA-256',
      }),
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

import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { missingGuards, readRun, runStatuses, viewEvents } from '../../gate/index.ts';
import { told } from '../../kernel/text/described.ts';
import { inProject } from '../plan/project.ts';
import { projectPathInput } from '../shapes.ts';
import { readPhase, readStanding } from '../plan/state.ts';

export const phaseStatus = defineOperation({
  name: 'phase_status',
  toolsets: ['admin'],
  // The first who asks starts the run of the phases.
  effect: 'write',
  idempotent: true,
  summary: {
    en: 'All phases of a project at a glance, and what the one in progress still misses.',
    ja: 'プロジェクトの全フェーズと、進行中のフェーズに不足しているものを返します。',
  },
  input: z.strictObject({ projectPath: projectPathInput }),
  output: z.object({
    run_id: z.string(),
    revision: z.number(),
    status: told(z.enum(runStatuses), {
      en: 'Of the run of the phases; aborted: a person begins anew with sekisho phase restart',
      ja: 'フェーズの run の状況 (aborted の場合は、人が sekisho phase restart で最初から始めます)',
    }),
    current_phase: z.string().nullable(),
    phases: z.array(
      z.object({
        phase: z.string(),
        title: z.string(),
        status: z.string(),
        startedAt: z.string().nullable(),
        completedAt: z.string().nullable(),
        outputFiles: z.array(z.string()).readonly(),
      }),
    ),
    missing_guards: z.array(z.object({ guard_name: z.string(), current_status: z.string() })),
  }),
  async run(context, input) {
    const here = inProject(context, input.projectPath);
    const { standing } = await readStanding(here);
    const snapshot = await readRun(here, standing.runId);
    const { run } = snapshot;
    const states = run.definition.states.filter((one) => !one.is_final);
    const phases = await Promise.all(
      states.map(async ({ name, description }) => {
        const { phase, status, startedAt, completedAt, outputFiles } = (await readPhase(here, name)).record;
        return { phase, title: description, status, startedAt, completedAt, outputFiles };
      }),
    );
    const missing = missingGuards(here, run, await viewEvents(here, snapshot));
    return {
      run_id: run.id,
      revision: run.revision,
      status: run.status,
      current_phase: run.isFinal ? null : run.state,
      phases,
      missing_guards: missing.map(({ guard_name, current_status }) => ({ guard_name, current_status })),
    };
  },
});

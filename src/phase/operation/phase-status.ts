import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { missingGuards, readRun, runStatuses, viewEvents } from '../../gate/index.ts';
import { contextOfProject } from '../plan/project.ts';
import { projectPathInput } from '../shapes.ts';
import { readPhase, readStanding } from '../plan/state.ts';
import { described, words } from '../words.ts';

export const phaseStatus = defineOperation({
  name: 'phase_status',
  toolsets: ['admin'],
  // The first call starts the run of the phases.
  effect: 'write',
  idempotent: true,
  summary: words('All phases of a project, and what the phase in progress still lacks.'),
  input: z.strictObject({ projectPath: projectPathInput }),
  output: z.object({
    run_id: z.string(),
    revision: z.number(),
    status: described(
      z.enum(runStatuses),
      'Status of the run of the phases; aborted: a person restarts it with sekisho phase restart',
    ),
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
    const here = contextOfProject(context, input.projectPath);
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

import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { contextOfProject } from '../plan/project.ts';
import { projectPathInput } from '../shapes.ts';
import { begin, readStanding } from '../plan/state.ts';
import { phrase } from '../problem.ts';
import { words } from '../words.ts';

export const restartPhases = defineOperation({
  name: 'restart_phases',
  toolsets: ['admin'],
  effect: 'write',
  summary: words('Restart the phases of a project with the current plan. Earlier results stay in the history.'),
  input: z.strictObject({ projectPath: projectPathInput }),
  output: z.object({ run_id: z.string(), previous_run_id: z.string(), phase: z.string() }),
  async confirm(context, input) {
    const { standing, isBegun } = await readStanding(contextOfProject(context, input.projectPath));
    const text = context.say(phrase.restart({ completed: standing.completed, current: standing.state }));
    return isBegun ? { text, input } : undefined;
  },
  async run(context, input) {
    const here = contextOfProject(context, input.projectPath);
    const before = (await readStanding(here)).standing;
    // The result is ignored: if another caller was faster, the phases have restarted all the same.
    await begin(here, before);
    const { standing } = await readStanding(here);
    return { run_id: standing.runId, previous_run_id: before.runId, phase: standing.state };
  },
});

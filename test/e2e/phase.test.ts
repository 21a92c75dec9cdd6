import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { requires } from './requirements.ts';
import { story } from './story.ts';
import { type World, inTwoWorlds } from './world.ts';

const configuration = `
phases:
  source: .sekisho/prompts
  variables: { team: Kanmon }
  list:
    - phase0
    - { id: phase1, title: Data and API, required_files: [docs/api.md] }
    - id: design
      prompt: drawing
      guards: [{ type: artifact, artifact_type: sketch, condition: count, min_count: 2 }]
    - phase3
    - phase4
`;

function prepare(world: World): void {
  world.write('.sekisho/config.yaml', configuration);
  world.write('.sekisho/prompts/phase0.md', '---\nversion: 3\ntitle: Requirements\n---\n\n# Phase 0: Requirements\n');
  world.write('.sekisho/prompts/phase1.md', '# Phase 1\n\n{{> rules}}\nNext: {{phase.next}}, by {{variables.team}}.\n');
  world.write('.sekisho/prompts/rules.md', '---\nversion: 7\n---\nBe exact in {{project.name}}.\n');
  world.write('.sekisho/prompts/drawing.md', 'Draw {{context.thing}}. Before: {{results.phase0.summary?}}\n');
  world.write('.sekisho/prompts/phase3.md', 'Build.\n');
}

let projects = 0;
/** State is per project: every test has one of its own. */
const place = () => `/nowhere/project-${++projects}`;

const complete = (world: World, phase: string, projectPath: string, more: object = {}) =>
  world.call('transition_to_next_phase', {
    currentPhase: phase,
    result: { status: 'completed', ...more },
    projectPath,
  });

const contextOf = async (world: World, phase: string, projectPath: string, more: object = {}) =>
  (await world.call('get_phase_context', { phase, projectPath, ...more })).value['context'];

/** A project in a folder of its own that has passed every phase up to the one with a name; what was said each time. */
async function passDesign(world: World, folder: string): Promise<{ projectPath: string; passed: string[] }> {
  const projectPath = join(world.project, folder);
  for (const file of ['docs/api.md', 'sketch_1.md', 'sketch_2.md']) world.write(join(folder, file), file);
  const outputFiles = ['sketch_1.md', 'sketch_2.md'];
  const passed: string[] = [];
  for (const phase of ['phase0', 'phase1', 'design'])
    passed.push((await complete(world, phase, projectPath, { outputFiles })).text);
  return { projectPath, passed };
}

inTwoWorlds('phases', (test) => {
  test.beforeEach(({ world }) => prepare(world));

  story(test, 'prompts', (clause) => {
    clause(requires('phase.inject'), async ({ world }) => {
      const { raw, text, value } = await world.call('inject_phase_prompt', { phase: 'phase0' });
      expect(text).toBe('# Phase 0: Requirements\n');
      expect(value['prompt']).toBe(text);
      expect(raw['metadata']).toEqual(value['metadata']);
      expect(value['metadata']).toMatchObject({ phase: 'phase0', version: 3, title: 'Requirements', cached: false });
      expect(Date.parse(value['metadata'].fetchedAt)).not.toBeNaN();
      expect(value['metadata'].digest).toMatch(/^[0-9a-f]{64}$/);
    });

    clause(requires('phase.inject.project-path'), async ({ world }) => {
      const projectPath = place();
      const { text } = await world.call('inject_phase_prompt', { phase: 'phase0', context: { projectPath } });
      expect(text).toBe(`Project Path: ${projectPath}\n\n# Phase 0: Requirements\n`);
    });

    clause(requires('phase.inject.previous'), async ({ world }) => {
      const { text } = await world.call('inject_phase_prompt', {
        phase: 'phase3',
        context: { previousPhaseResults: { phase1: { summary: 'three tables' } } },
      });
      expect(text).toMatch(/^Build\.\n\n## Results of the previous phases\n\n```json\n/);
      expect(text).toContain('three tables');
    });

    clause(requires('phase.unknown'), async ({ world }) => {
      const calls = [
        ['inject_phase_prompt', { phase: 'phase9' }],
        ['transition_to_next_phase', { currentPhase: 'phase2', result: { status: 'completed' } }],
        ['get_phase_context', { phase: '' }],
        ['save_phase_result', { phase: 'finished', result: { checkpoint: 'c', data: {} } }],
      ] as const;
      for (const [tool, input] of calls) {
        const { isError, value, raw } = await world.call(tool, input);
        expect(isError, tool).toBe(true);
        expect(raw['structuredContent']).toBeUndefined();
        expect(value['error']).toMatchObject({
          code: 'PHASE_NOT_FOUND',
          details: { known_phases: ['phase0', 'phase1', 'design', 'phase3', 'phase4'] },
        });
      }
    });

    clause(requires('phase.failures'), async ({ world }) => {
      const wrong = [
        ['inject_phase_prompt', {}],
        ['inject_phase_prompt', { phase: 0 }],
        ['transition_to_next_phase', { currentPhase: 'phase0', result: { status: 'done' } }],
        ['save_phase_result', { phase: 'phase0', result: { checkpoint: 'c' } }],
        ['save_phase_result', { phase: 'phase0', result: { checkpoint: 'c', data: { text: 'x'.repeat(200_000) } } }],
        ['get_phase_context', { phase: 'phase0', includeResults: 'yes' }],
      ] as const;
      for (const [tool, input] of wrong) {
        const { isError, value } = await world.call(tool, input);
        expect(isError, JSON.stringify(input).slice(0, 80)).toBe(true);
        expect(Object.keys(value)).toEqual(['error']);
        expect(value['error'].code).toBe('VALIDATION_ERROR');
        expect(value['error'].details.validation_errors.length).toBeGreaterThan(0);
      }
    });
  });

  story(test, 'transitions', (clause) => {
    clause(requires('phase.transition'), async ({ world }) => {
      const projectPath = place();
      const { raw, text, value } = await complete(world, 'phase0', projectPath, {
        summary: 'done',
        outputFiles: ['a.md'],
      });
      expect(text).toBe('Phase 0 completed successfully. Transitioning to Phase 1...');
      expect(value).toEqual({ message: text, nextPhase: 'phase1', transitionedAt: expect.any(String) });
      expect(raw).toMatchObject({ nextPhase: 'phase1', transitionedAt: value['transitionedAt'] });
      expect(await contextOf(world, 'phase0', projectPath)).toMatchObject({
        status: 'completed',
        completedAt: value['transitionedAt'],
      });
      expect(await contextOf(world, 'phase1', projectPath)).toMatchObject({
        status: 'in_progress',
        startedAt: value['transitionedAt'],
        completedAt: null,
        result: null,
      });
    });

    clause(requires('phase.transition.stays'), async ({ world }) => {
      const projectPath = place();
      for (const status of ['partial', 'failed'] as const) {
        const { value, raw } = await world.call('transition_to_next_phase', {
          currentPhase: 'phase0',
          result: { status, summary: `so far ${status}` },
          projectPath,
        });
        expect(value['nextPhase']).toBe('phase0');
        expect(raw['nextPhase']).toBe('phase0');
        expect(await contextOf(world, 'phase0', projectPath)).toMatchObject({
          status: status === 'failed' ? 'failed' : 'in_progress',
          completedAt: null,
          result: { status, summary: `so far ${status}` },
        });
      }
      expect((await complete(world, 'phase0', projectPath)).value['nextPhase']).toBe('phase1');
    });

    clause('an output file that is no evidence holds no transition up', async ({ world }) => {
      const folder = 'odd-files';
      const projectPath = join(world.project, folder);
      world.write(join(folder, 'empty.md'), '');
      world.write(join(folder, '.sekisho/own.md'), 'ours');
      world.write(join(folder, 'good.md'), 'good');
      const outputFiles = ['empty.md', 'good.md', '.sekisho/own.md', 'not/there.md', '../elsewhere.md'];
      const { value } = await world.call('transition_to_next_phase', {
        currentPhase: 'phase0',
        result: { status: 'failed', outputFiles },
        projectPath,
      });
      expect(value['nextPhase']).toBe('phase0');
      expect((await complete(world, 'phase0', projectPath, { outputFiles })).value['nextPhase']).toBe('phase1');
      expect((await contextOf(world, 'phase0', projectPath)).outputFiles).toEqual(outputFiles);
      const { json } = await world.person(['phase', 'status', '--project-path', projectPath, '--json']);
      const history = (await world.call('state_gate.get_history', { run_id: json['run_id'] })).value;
      expect(history['events'][0].artifacts.map((one: { path: string }) => one.path)).toEqual(['good.md']);
      // One that a guard requires is still required.
      world.write(join(folder, 'docs/api.md'), '');
      const refused = await complete(world, 'phase1', projectPath, { outputFiles: ['docs/api.md'] });
      expect(refused.value['error']).toMatchObject({
        code: 'GUARD_FAILED',
        details: { missing_guards: ['phase1.required_files: file not found, or empty: docs/api.md'] },
      });
    });

    clause(requires('phase.transition.invalid'), async ({ world }) => {
      const projectPath = place();
      const early = await complete(world, 'phase3', projectPath);
      expect(early.value['error']).toMatchObject({
        code: 'INVALID_PHASE_TRANSITION',
        details: { current_phase: 'phase0' },
      });
      await complete(world, 'phase0', projectPath);
      expect((await complete(world, 'phase0', projectPath)).value['error'].code).toBe('INVALID_PHASE_TRANSITION');
      expect(await contextOf(world, 'phase3', projectPath)).toMatchObject({ status: 'pending', startedAt: null });
    });

    clause(requires('phase.guards'), async ({ world }) => {
      await complete(world, 'phase0', world.project);
      const refused = await complete(world, 'phase1', world.project, { outputFiles: ['docs/api.md'] });
      expect(refused.value['error']).toMatchObject({
        code: 'GUARD_FAILED',
        details: {
          missing_guards: ['phase1.required_files: file not found, or empty: docs/api.md'],
          current_phase: 'phase1',
        },
      });
      expect(await contextOf(world, 'phase1', world.project)).toMatchObject({ status: 'in_progress', result: null });
      world.write('docs/api.md', '# API');
      expect((await complete(world, 'phase1', world.project)).value['nextPhase']).toBe('design');
      // Evidence counts over several tries: the first brings one of two sketches.
      const one = world.write('sketch_a.md', 'a');
      const two = world.write('sketch_b.md', 'b');
      const few = await complete(world, 'design', world.project, { outputFiles: [one] });
      expect(few.value['error'].code).toBe('GUARD_FAILED');
      expect(few.value['error'].details.missing_guards[0]).toContain('(current: 1, required: 2)');
      const enough = await complete(world, 'design', world.project, { outputFiles: [two, 'not/there.md'] });
      expect(enough.value['nextPhase']).toBe('phase3');
      expect(await contextOf(world, 'design', world.project)).toMatchObject({
        status: 'completed',
        outputFiles: ['sketch_b.md', 'not/there.md'],
      });
    });

    clause(requires('phase.names'), async ({ world }) => {
      const { passed, projectPath } = await passDesign(world, 'named');
      expect(passed).toEqual([
        'Phase 0 completed successfully. Transitioning to Phase 1...',
        'Phase 1 completed successfully. Transitioning to Phase design...',
        'Phase design completed successfully. Transitioning to Phase 3...',
      ]);
      expect(await contextOf(world, 'design', projectPath)).toMatchObject({ status: 'completed' });
    });

    clause(requires('phase.transition.last'), async ({ world }) => {
      const { projectPath } = await passDesign(world, 'last');
      await complete(world, 'phase3', projectPath);
      const { text, value, raw } = await complete(world, 'phase4', projectPath);
      expect(text).toBe('Phase 4 completed. All phases finished!');
      expect(value['nextPhase']).toBeNull();
      expect(raw['nextPhase']).toBeNull();
      expect((await complete(world, 'phase4', projectPath)).value['error'].code).toBe('INVALID_PHASE_TRANSITION');
    });
  });

  story(test, 'what is known of a phase', (clause) => {
    clause(requires('phase.context'), async ({ world }) => {
      const projectPath = place();
      const report = (status: string, outputFiles: readonly string[]) =>
        world.call('transition_to_next_phase', {
          currentPhase: 'phase0',
          result: { status, outputFiles },
          projectPath,
        });
      await report('partial', ['docs/a.md', 'docs/b.md']);
      await report('failed', ['docs/b.md']);
      const done = await report('completed', ['docs/b.md', 'docs/c.md']);
      const { value, raw, text } = await world.call('get_phase_context', { phase: 'phase0', projectPath });
      expect(value['context']).toEqual({
        phase: 'phase0',
        status: 'completed',
        startedAt: expect.any(String),
        completedAt: done.value['transitionedAt'],
        result: { status: 'completed', outputFiles: ['docs/b.md', 'docs/c.md'] },
        outputFiles: ['docs/a.md', 'docs/b.md', 'docs/c.md'],
        checkpoints: [],
      });
      expect(raw['context']).toEqual(value['context']);
      expect(JSON.parse(text)).toEqual(value['context']);
    });

    clause(requires('phase.context.without-results'), async ({ world }) => {
      const projectPath = place();
      await complete(world, 'phase0', projectPath, { outputFiles: ['x'] });
      const context = await contextOf(world, 'phase0', projectPath, { includeResults: false });
      expect(context).toMatchObject({ status: 'completed', result: null, outputFiles: ['x'] });
      expect(context).not.toHaveProperty('checkpoints');
    });

    clause(requires('phase.checkpoints'), async ({ world }) => {
      const projectPath = place();
      const others = await Promise.all([world.client(), world.client()]);
      const save = (checkpoint: string, data: object, client?: (typeof others)[number]) =>
        world.call('save_phase_result', { phase: 'phase3', result: { checkpoint, data }, projectPath }, client);
      const { text, value, raw } = await save('html_structure_completed', { filesGenerated: 5 });
      expect(text).toBe('Phase 3 progress saved at checkpoint: html_structure_completed');
      expect(value).toEqual({ message: text, savedAt: expect.any(String) });
      expect(raw['savedAt']).toBe(value['savedAt']);
      const names = Array.from({ length: 12 }, (_, index) => `step-${index}`);
      await Promise.all(names.map((name, index) => save(name, { outputFiles: [name] }, others[index % 2])));
      const context = await contextOf(world, 'phase3', projectPath);
      const kept = context.checkpoints.map((one: { checkpoint: string }) => one.checkpoint);
      expect(kept[0]).toBe('html_structure_completed');
      expect(kept.slice(1).toSorted()).toEqual(names.toSorted());
      expect(context.result).toEqual({ checkpoint: kept.at(-1), data: { outputFiles: [kept.at(-1)] } });
      expect(context.outputFiles.toSorted()).toEqual(names.toSorted());
      expect(context.status).toBe('pending');
      const page = await world.call('get_phase_context', { phase: 'phase3', projectPath, limit: 5 });
      expect(page.value['context'].checkpoints.length).toBe(5);
      const older = await world.call('get_phase_context', {
        phase: 'phase3',
        projectPath,
        limit: 50,
        cursor: page.value['nextCursor'],
      });
      expect(older.value['context'].checkpoints.length).toBe(8);
      // Whatever else was said is kept with it.
      const result = { checkpoint: 'more', data: {}, owner: 'ann', outputFiles: ['more.md'] };
      const more = await world.call('save_phase_result', { phase: 'phase3', result, projectPath });
      const whole = await contextOf(world, 'phase3', projectPath);
      expect(whole.result).toEqual(result);
      expect(whole.checkpoints.at(-1)).toEqual({ ...result, savedAt: more.value['savedAt'] });
      expect(whole.outputFiles).toContain('more.md');
    });

    clause(requires('phase.project'), async ({ world }) => {
      const [one, two] = [place(), place()];
      await complete(world, 'phase0', one);
      expect(await contextOf(world, 'phase0', `${one}/`)).toMatchObject({ status: 'completed' });
      expect(await contextOf(world, 'phase0', two)).toMatchObject({
        status: 'in_progress',
        startedAt: expect.any(String),
        result: null,
        outputFiles: [],
      });
      const own = (await world.call('get_phase_context', { phase: 'phase0' })).value['context'];
      expect(await contextOf(world, 'phase0', world.project)).toEqual(own);
    });

    clause(requires('phase.project.keys'), async ({ world }) => {
      // It is about what a process files things under, whoever asks it.
      if (world.surface === 'http') return;
      const shared = place();
      await complete(world, 'phase0', shared);
      const under = async (key: string, ...command: readonly string[]) =>
        (
          await world.cli(['phase', ...command, '--project-path', shared, '--json'], {
            env: { SEKISHO_PROJECT_KEY: key },
          })
        ).json;
      const status = async (key: string) =>
        (await under(key, 'get-phase-context', '--phase', 'phase0'))['context'].status as string;
      expect(await status('team-a')).toBe('in_progress');
      await under(
        'team-a',
        'transition-to-next-phase',
        '--current-phase',
        'phase0',
        '--result',
        '{"status":"completed"}',
      );
      expect([await status('team-a'), await status('team-b')]).toEqual(['completed', 'in_progress']);
    });

    clause(requires('phase.transition.one-winner'), async ({ world }) => {
      const projectPath = place();
      const clients = await Promise.all([world.client(), world.client(), world.client()]);
      const replies = await Promise.all(
        Array.from({ length: 9 }, (_, index) =>
          world.call(
            'transition_to_next_phase',
            { currentPhase: 'phase0', result: { status: 'completed', summary: `writer ${index}` }, projectPath },
            clients[index % clients.length],
          ),
        ),
      );
      const winners = replies.filter((one) => !one.isError);
      expect(winners.length).toBe(1);
      const codes = new Set(replies.filter((one) => one.isError).map((one) => one.value['error'].code));
      expect([...codes]).toEqual(['INVALID_PHASE_TRANSITION']);
      const winner = replies.findIndex((one) => !one.isError);
      expect((await contextOf(world, 'phase0', projectPath)).result.summary).toBe(`writer ${winner}`);
    });

    clause(requires('phase.durable'), async ({ world }) => {
      const projectPath = place();
      const first = await world.client();
      await world.call(
        'transition_to_next_phase',
        { currentPhase: 'phase0', result: { status: 'completed' }, projectPath },
        first,
      );
      await first.close();
      const { json } = await world.cli([
        'phase',
        'get-phase-context',
        '--phase',
        'phase1',
        '--project-path',
        projectPath,
        '--json',
      ]);
      expect(json['context']).toMatchObject({ status: 'in_progress' });
    });

    clause(requires('phase.gate'), async ({ world }) => {
      const projectPath = place();
      await complete(world, 'phase0', projectPath, { summary: 's' });
      const status = await world.person(['phase', 'status', '--project-path', projectPath, '--json']);
      const run = status.json['run_id'];
      const history = (await world.call('state_gate.get_history', { run_id: run })).value;
      expect(history['process_id']).toBe('phases');
      expect(history['events']).toMatchObject([
        { from_state: 'phase0', to_state: 'phase1', payload: { status: 'completed', summary: 's' } },
      ]);
      const state = (await world.call('state_gate.get_state', { run_id: run })).value;
      expect(state).toMatchObject({ process_id: 'phases', current_state: 'phase1', is_final: false });
      const after = await world.person(['phase', 'status', '--project-path', projectPath, '--json']);
      expect(after.json).toMatchObject({
        current_phase: 'phase1',
        missing_guards: [
          { guard_name: 'phase1.required_files', current_status: 'file not found, or empty: docs/api.md' },
        ],
      });
      expect((await world.call('state_gate.get_state')).value['error'].code).toBe('RUN_NOT_FOUND');
    });

    clause(requires('phase.evidence'), async ({ world }) => {
      const projectPath = place();
      const inject = (phase: string) => world.call('inject_phase_prompt', { phase, context: { projectPath } });
      const { value } = await inject('phase1');
      await inject('phase1');
      await complete(world, 'phase0', projectPath);
      await inject('phase1');
      const { json } = await world.person(['phase', 'status', '--project-path', projectPath, '--json']);
      const journal = await world.cli(['journal', 'list', '--subject', json['run_id'], '--json']);
      const served = journal.json['entries'].filter((one: { kind: string }) => one.kind === 'phase.prompt_served');
      expect(served.map((one: { data: { revision: number } }) => one.data.revision)).toEqual([0, 1]);
      expect(served[0]).toMatchObject({
        actor: expect.stringMatching(/^agent:/),
        data: {
          phase: 'phase1',
          prompt: 'phase1',
          version: 1,
          digest: value['metadata'].digest,
          includes: [{ prompt: 'rules', version: 7 }],
        },
      });
    });
  });

  story(test, 'templates and files', (clause) => {
    clause(requires('phase.template'), async ({ world }) => {
      const projectPath = '/somewhere/else/shop';
      const { text } = await world.call('inject_phase_prompt', { phase: 'phase1', context: { projectPath } });
      expect(text).toBe(`Project Path: ${projectPath}\n\n# Phase 1\n\nBe exact in shop.\nNext: design, by Kanmon.\n`);
      await complete(world, 'phase0', projectPath, { summary: 'a shop with {{braces}}' });
      const drawn = await world.call('inject_phase_prompt', {
        phase: 'design',
        context: { projectPath, thing: 'a door' },
      });
      expect(drawn.text).toContain('Draw a door. Before: a shop with {{braces}}\n');
      expect(drawn.value['metadata'].phase).toBe('design');
    });

    clause(requires('phase.template.missing'), async ({ world }) => {
      const { value } = await world.call('inject_phase_prompt', { phase: 'design' });
      expect(value['error']).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { missing: ['context.thing'], prompt: 'drawing' },
      });
      expect(value['error'].message).toContain('context.thing');
      world.write('.sekisho/prompts/phase3.md', 'Build {{> nothing}}.\n');
      const lost = await world.call('inject_phase_prompt', { phase: 'phase3' });
      expect(lost.value['error']).toMatchObject({
        code: 'PROMPT_NOT_FOUND',
        message: 'Prompt not found for phase: nothing',
        details: { phase: 'nothing', included_by: 'phase3' },
      });
      world.write('.sekisho/prompts/nothing.md', '{{> phase3}}');
      const round = await world.call('inject_phase_prompt', { phase: 'phase3' });
      expect(round.value['error'].code).toBe('VALIDATION_ERROR');
      expect(round.value['error'].message).toContain('phase3 → nothing → phase3');
      world.write('.sekisho/prompts/phase3.md', 'Build.\n');
    });

    clause(requires('phase.source.folder'), async ({ world }) => {
      const inject = async (client?: Awaited<ReturnType<World['client']>>) =>
        (await world.call('inject_phase_prompt', { phase: 'phase3' }, client)).value;
      world.write('.sekisho/prompts/phase3.md', '---\nversion: 2\n---\nBuild it.\n');
      const first = await inject();
      expect(first).toMatchObject({ prompt: 'Build it.\n', metadata: { version: 2, cached: false } });
      const again = await inject();
      expect(again['metadata']).toMatchObject({ cached: true, fetchedAt: first['metadata'].fetchedAt });
      const elsewhere = await inject(await world.client());
      expect(elsewhere['metadata']).toMatchObject({ cached: true, fetchedAt: first['metadata'].fetchedAt });
      world.write('.sekisho/prompts/phase3.md', '---\nversion: 3\n---\nBuild it well.\n');
      expect(await inject()).toMatchObject({ prompt: 'Build it well.\n', metadata: { version: 3, cached: false } });
    });

    clause(`${requires('phase.source.store.empty')} (a folder)`, async ({ world }) => {
      world.write('.sekisho/prompts/phase4.md', '---\nversion: 9\n---\n \n');
      const { value } = await world.call('inject_phase_prompt', { phase: 'phase4' });
      expect(value['error']).toMatchObject({ code: 'VALIDATION_ERROR' });
      expect(value['error'].message).toContain('phase4.md');
      rmSync(join(world.project, '.sekisho/prompts/phase4.md'));
    });

    clause(requires('phase.source.missing'), async ({ world }) => {
      const { value } = await world.call('inject_phase_prompt', { phase: 'phase4' });
      expect(value['error']).toEqual({
        code: 'PROMPT_NOT_FOUND',
        message: 'Prompt not found for phase: phase4',
        details: {
          phase: 'phase4',
          source: expect.stringContaining('.sekisho/prompts'),
          next_step: expect.stringContaining('phase4.md'),
        },
      });
    });

    clause(requires('phase.effect'), async ({ world }) => {
      const { tools } = await (await world.client()).listTools();
      const readOnly = (name: string) => tools.find((one) => one.name === name)?.annotations?.readOnlyHint;
      for (const name of ['inject_phase_prompt', 'get_phase_context', 'transition_to_next_phase', 'save_phase_result'])
        expect(readOnly(name), name).toBe(false);
      expect(readOnly('state_gate.get_state')).toBe(true);
    });

    clause(requires('phase.mcp-prompts'), async ({ world }) => {
      const client = await world.client();
      const { prompts } = await client.listPrompts();
      const mine = prompts.filter((one) => ['phase0', 'phase1', 'design', 'phase3', 'phase4'].includes(one.name));
      expect(mine.map((one) => one.name)).toEqual(['phase0', 'phase1', 'design', 'phase3', 'phase4']);
      expect(mine.slice(0, 2).map((one) => one.description)).toEqual(['Requirements', 'Data and API']);
      const got = await client.getPrompt({ name: 'design', arguments: { projectPath: '/p', thing: 'a gate' } });
      expect(got.messages[0]?.content).toMatchObject({
        type: 'text',
        text: 'Project Path: /p\n\nDraw a gate. Before: \n',
      });
      await expect(client.getPrompt({ name: 'design' })).rejects.toThrow(/context\.thing/);
    });
  });
});

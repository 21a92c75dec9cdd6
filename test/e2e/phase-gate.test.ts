import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { requires } from './requirements.ts';
import { type World, inOneWorld, inTwoWorlds } from './world.ts';

const list = (items: string) => `phases:\n  list:\n${items.replaceAll(/^/gm, '    ')}\n`;

const complete = (world: World, phase: string, more: object = {}, client?: Awaited<ReturnType<World['client']>>) =>
  world.call('transition_to_next_phase', { currentPhase: phase, result: { status: 'completed', ...more } }, client);

const status = async (world: World) => (await world.person(['phase', 'status', '--json'])).json;

describe('phases that the gate guards', () => {
  inTwoWorlds('a phase that needs approval', (test) => {
    test(`${requires('phase.guards.approval')}; ${requires('phase.guards.files-and-approval')}`, async ({ world }) => {
      const approval = 'guards: [{ type: approval, role: reviewer }]';
      world.write(
        '.sekisho/config.yaml',
        list(
          `- id: draft\n  prompt: Write it.\n  ${approval}\n- id: final\n  prompt: Polish it.\n  required_files: [final.md]\n  ${approval}\n- phase2`,
        ),
      );
      world.write('draft.md', 'A draft.');
      const reviewer = await world.client({ role: 'reviewer' });
      const refuseThenApprove = async (phase: string, more: object) => {
        const { error } = (await complete(world, phase, more)).value;
        expect(error).toMatchObject({ code: 'GUARD_FAILED' });
        expect(error.details.missing_guards[0]).toMatch(/\.approval: not enough approvals/);
        const { run_id: run, revision } = await status(world);
        const yes = { run_id: run, event_name: 'approve', expected_revision: revision, idempotency_key: phase };
        expect((await world.call('state_gate.emit_event', yes, reviewer)).value).toMatchObject({ success: true });
      };
      await refuseThenApprove('draft', { outputFiles: ['draft.md'] });
      expect((await complete(world, 'draft', { outputFiles: ['draft.md'] })).value['nextPhase']).toBe('final');
      const without = (await complete(world, 'final')).value['error'].details.missing_guards as string[];
      expect(without).toContain('final.required_files: file not found, or empty: final.md');
      world.write('final.md', 'The text.');
      await refuseThenApprove('final', {});
      // The file is recorded by this very transition, with the bytes that were approved.
      expect((await complete(world, 'final')).value['nextPhase']).toBe('phase2');
    });
  });

  inTwoWorlds('a phase that a program checks', (test) => {
    test(requires('phase.guards.command'), async ({ world }) => {
      writeFileSync(
        join(world.project, '.sekisho/config.yaml'),
        list('- id: build\n  prompt: Build it.\n  guards: [{ type: command, command: [test, -f, done.txt] }]'),
      );
      expect((await world.cli(['trust', '--json'])).json['code']).toBe('FORBIDDEN');
      const trusted = await world.person(['trust', '--json']);
      expect(trusted.json['trusted'][0].commands).toEqual(['test -f done.txt']);
      const early = await complete(world, 'build');
      expect(early.value['error'].details.missing_guards[0]).toContain('exit code (current: 1, required: 0)');
      world.write('done.txt', '');
      expect((await complete(world, 'build')).text).toBe('Phase build completed. All phases finished!');
    });
  });

  inTwoWorlds('phases with permissions', (test) => {
    test(requires('phase.permissions'), async ({ world }) => {
      world.write(
        '.sekisho/config.yaml',
        list(
          '- id: look\n  prompt: Only look.\n  tool_permissions: { allowed: [Read, Grep] }\n- id: write\n  prompt: Write.\n  tool_permissions: { denied: [save_phase_result] }',
        ),
      );
      const hook = async (tool: string) => {
        const { stdout } = await world.cli(['hook', 'pre-tool-use', '--client', 'claude'], {
          input: JSON.stringify({
            hook_event_name: 'PreToolUse',
            tool_name: tool,
            tool_input: {},
            session_id: 's',
            cwd: world.project,
          }),
        });
        return stdout === '' ? undefined : JSON.parse(stdout).hookSpecificOutput?.permissionDecision;
      };
      expect((await world.call('inject_phase_prompt', { phase: 'look' })).text).toBe('Only look.');
      expect((await world.call('state_gate.get_state')).value['process_id']).toBe('phases');
      expect(await hook('Bash')).toBe('deny');
      expect(await hook('Read')).not.toBe('deny');
      expect(await hook('mcp__sekisho__transition_to_next_phase')).not.toBe('deny');
      expect((await complete(world, 'look')).value['nextPhase']).toBe('write');
      expect(await hook('Bash')).not.toBe('deny');
      const denied = await world.call('save_phase_result', { phase: 'write', result: { checkpoint: 'c', data: {} } });
      expect(denied.value['error'].code).toBe('FORBIDDEN');
      await complete(world, 'write');
      expect(await hook('Bash')).toBeUndefined();
    });
  });

  inOneWorld('stdio', 'sqlite', (test) => {
    test(requires('phase.restart'), async ({ world }) => {
      const fresh = async () => world.client();
      world.write('.sekisho/config.yaml', list('- one\n- two'));
      await world.call('get_phase_context', { phase: 'one' }, await fresh());
      // Nothing has happened in it yet, so the run takes the new plan at once.
      world.write('.sekisho/config.yaml', list('- alpha\n- beta'));
      expect((await complete(world, 'alpha', {}, await fresh())).value['nextPhase']).toBe('beta');
      world.write('.sekisho/config.yaml', list('- alpha\n- beta\n- gamma'));
      const changed = await fresh();
      expect((await complete(world, 'beta', {}, changed)).value['nextPhase']).toBeNull();
      const after = await complete(world, 'gamma', {}, changed);
      expect(after.value['error']).toMatchObject({ code: 'INVALID_PHASE_TRANSITION' });
      expect(after.value['error'].message).toContain('sekisho phase restart');
      expect((await world.cli(['phase', 'restart', '--json'])).json['code']).toBe('FORBIDDEN');
      const begun = await world.person(['phase', 'restart', '--json']);
      expect(begun.json).toMatchObject({ phase: 'alpha' });
      expect((await status(world))['phases'].map((one: { phase: string }) => one.phase)).toEqual([
        'alpha',
        'beta',
        'gamma',
      ]);
      const old = await world.call('state_gate.get_history', { run_id: begun.json['previous_run_id'] }, changed);
      expect(old.value['events'].length).toBe(2);
    });

    test('a checkpoint is work too: where one was saved, a changed plan does not take the place of the old one', async ({
      world,
    }) => {
      world.write('.sekisho/config.yaml', list('- one\n- two'));
      const result = { checkpoint: 'half', data: { remaining: ['logout'] } };
      await world.call('save_phase_result', { phase: 'one', result }, await world.client());
      world.write('.sekisho/config.yaml', list('- one\n- between\n- two'));
      const later = await world.client();
      const { value } = await world.call('get_phase_context', { phase: 'one' }, later);
      expect(value['context']).toMatchObject({ status: 'in_progress', result });
      expect((await complete(world, 'one', {}, later)).value['nextPhase']).toBe('two');
      // Until a person begins anew.
      await world.person(['phase', 'restart', '--json']);
      expect((await complete(world, 'one', {}, later)).value['nextPhase']).toBe('between');
    });
  });
});

describe('the shipped plan', () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    test.for([
      ['en', /^# Phase (\d): (Requirements and design|Data and API|Interface mock-up|Implementation|Verification)\n/],
      ['ja', /^# Phase (\d): (要件定義・技術設計|データと API|画面モックアップ|実装|検証)\n/],
    ] as const)(`${requires('phase.shipped')} (%s)`, async ([lang, heading], { world }) => {
      const client = await world.client({ args: ['--lang', lang] });
      for (let phase = 0; phase < 5; phase++) {
        const { value, text } = await world.call('inject_phase_prompt', { phase: `phase${phase}` }, client);
        expect(text).toMatch(heading);
        expect(text).toContain(`"currentPhase": "phase${phase}"`);
        expect(text).not.toContain('{{');
        expect(value['metadata']).toMatchObject({ version: 1, source: expect.stringMatching(/^shipped:/) });
      }
      // One of the project's own takes the place of a shipped one as soon as it is there; the others stay.
      world.write('.sekisho/prompts/phase0.md', 'Ours.');
      expect((await world.call('inject_phase_prompt', { phase: 'phase0' }, client)).text).toBe('Ours.');
      expect((await world.call('inject_phase_prompt', { phase: 'phase1' }, client)).text).toMatch(heading);
    });
  });
});

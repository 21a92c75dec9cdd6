import { expect } from 'vitest';
import { requires } from './requirements.ts';
import { story } from './story.ts';
import { type World, inTwoWorlds } from './world.ts';

const people = new WeakMap<World, ReturnType<World['client']>>();

/** As a person, over the daemon. */
async function admin(world: World, tool: string, input: object) {
  const known = people.get(world) ?? world.client({ role: 'human' });
  people.set(world, known);
  return (await world.call(tool, input, await known)).value;
}

const publish = (world: World, prompt: string, content: string, more: object = {}) =>
  admin(world, 'publish_prompt', { prompt, content, ...more });

const servedNow = async (world: World, phase: string) =>
  (await world.call('inject_phase_prompt', { phase })).value['prompt'] as string;

inTwoWorlds('prompts that people publish', (test) => {
  test.beforeEach(({ world }) =>
    world.write('.sekisho/config.yaml', 'phases: { source: store, list: [one, two, three, four] }\n'),
  );

  story(test, 'the library', (clause) => {
    clause(requires('phase.source.store.back'), async ({ world }) => {
      const back = (more: object = {}) => admin(world, 'roll_back_prompt', { prompt: 'one', ...more });
      for (const content of ['A', 'B', 'B', 'C']) await publish(world, 'one', content);
      // The label points there already: nothing new is served, so there is no step to go back over.
      await admin(world, 'label_prompt', { prompt: 'one', label: 'production', version: 4 });
      expect(await back()).toMatchObject({ version: 3, previous_version: 4 });
      expect(await servedNow(world, 'one')).toBe('B');
      // Version 2 has the same text as 3.
      expect(await back()).toMatchObject({ version: 1, previous_version: 3 });
      expect(await servedNow(world, 'one')).toBe('A');
      expect(await back()).toMatchObject({ code: 'NO_EARLIER_VERSION' });
      expect(await servedNow(world, 'one')).toBe('A');
      await publish(world, 'one', 'D');
      expect(await back()).toMatchObject({ version: 1 });
      await publish(world, 'one', 'E');
      await publish(world, 'one', 'F');
      expect(await back({ to: 1 })).toMatchObject({ version: 1, previous_version: 7 });
      expect(await back()).toMatchObject({ code: 'NO_EARLIER_VERSION' });
      expect(await back({ to: 99 })).toMatchObject({ code: 'LABEL_NOT_FOUND' });
      expect(await back({ label: 'nowhere' })).toMatchObject({ code: 'LABEL_NOT_FOUND' });
    });

    clause(requires('phase.source.store.served'), async ({ world }) => {
      expect(await publish(world, 'two', 'A', { labels: ['staging'] })).toMatchObject({ version: 1, served: false });
      expect(await publish(world, 'two', 'B')).toMatchObject({ version: 2, served: true });
      expect(await publish(world, 'two', 'C', { labels: ['staging', 'production'] })).toMatchObject({ served: true });
      expect(await publish(world, 'two', 'D', { labels: [] })).toMatchObject({ served: false });
      expect(await servedNow(world, 'two')).toBe('C');
    });

    clause(requires('phase.source.store.empty'), async ({ world }) => {
      for (const content of ['', ' \n\t', '---\ntitle: T\n---\n\n'])
        expect(await publish(world, 'three', content)).toMatchObject({ success: false, code: 'VALIDATION_ERROR' });
      const { url, token } = await world.daemon();
      const put = await fetch(`${url}/prompts/three?project=${encodeURIComponent(world.project)}`, {
        method: 'PUT',
        headers: { Authorization: `Bearer ${token('human')}`, 'Content-Type': 'text/markdown' },
        body: ' ',
      });
      expect(put.status).toBe(400);
      const listed = (await admin(world, 'list_prompts', {}))['prompts'] as { name: string }[];
      expect(listed.map((one) => one.name)).not.toContain('three');
    });

    clause(requires('phase.source.store.diff'), async ({ world }) => {
      const lines = (mark: string) => Array.from({ length: 2000 }, (_, index) => `${mark} ${index}\n`).join('');
      await publish(world, 'four', lines('old'));
      await publish(world, 'four', lines('new'));
      const { diff } = await admin(world, 'diff_prompt', { prompt: 'four' });
      expect(diff.startsWith('--- four version 1\n+++ four version 2\n@@ -1,2000 +1,2000 @@\n-old 0\n')).toBe(true);
      expect(diff.endsWith('+new 1999\n')).toBe(true);
    });
  });
});

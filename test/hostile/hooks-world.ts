import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { answerHook } from '../../src/hook/answer.ts';
import { openFoundStore } from '../../src/store/open-found.ts';
import { type World, makeWorld } from '../e2e/world.ts';

export interface HookWorld {
  readonly world: World;
  readonly home: string;
  /** A hook's answer to a call, as the process and the daemon give it. */
  ask(client: string, body: object, cwd?: string): Promise<string>;
  close(): Promise<void>;
}

/** A project with an open run, whose state permits every tool (`build`) or restricts (`plan`). */
export async function makeHookWorld(state: 'plan' | 'build'): Promise<HookWorld> {
  const world = await makeWorld('stdio', 'sqlite');
  const process = join(import.meta.dirname, '../fixtures/processes/hooked.yaml');
  copyFileSync(process, join(world.project, '.sekisho/processes/hooked.yaml'));
  mkdirSync(join(world.project, 'src'));
  await world.cli(['gate', 'create-run', '--process-id', 'hooked', '--json']);
  if (state === 'build') {
    world.write('plan.md', 'first, then');
    const event = ['--event-name', 'submit_plan', '--expected-revision', '0', '--idempotency-key', 'k'];
    const { code, stderr } = await world.cli(['gate', 'emit-event', ...event, '--artifact-paths', 'plan.md', '--json']);
    if (code !== 0) throw new Error(stderr);
  }
  const { root, tree, home: ours, state: files, worktrees, key } = world.place;
  const store = await openFoundStore(world.db);
  const home = join(world.project, '..', 'home');
  mkdirSync(home, { recursive: true });
  return {
    world,
    home,
    async ask(client, body, cwd = world.project) {
      const { text } = await answerHook(
        { client, event: 'pre-tool-use', text: JSON.stringify({ cwd, ...body }) },
        {
          config: {
            lang: 'en',
            project: {
              key,
              root,
              tree,
              home: ours,
              state: files,
              worktrees,
              configuration: 'trusted',
              registered: false,
              worktreesAlone: false,
              trusted: () => new Map(),
            },
            place: world.place,
            process: 'explore-plan-implement-verify',
            hookFail: 'auto',
          },
          callers: [],
          locate: () => ({ root, tree }),
          starts: [],
          rootsAround: () => [],
          elsewhere: () => Promise.resolve(undefined),
          cwd,
          home,
          moved: [],
          actor: { role: 'agent', id: 'os:me', verified: false, person: false },
          store: () => Promise.resolve(store),
        },
      );
      return text;
    },
    async close() {
      await store.close();
      await world.close();
    },
  };
}

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProjectPlace } from '../config/locate.ts';
import { type Confine, type FilesNotWrittenByAgents, type SandboxSetting, bareLaunch } from './port.ts';
import type { RepositoryWatch } from './repositories.ts';

const mark = 'sandboxed';

/** Finds the files that agents did not write. Loaded on demand: a server rarely needs it. */
export async function findFilesNotWrittenByAgents(): Promise<FilesNotWrittenByAgents> {
  return (await import('../fleet/index.ts')).filesNotWrittenByAgents();
}

/** Records that an agent has worked in this project in a sandbox: from now on its programs run in one too. */
export function markSandboxed({ state }: Pick<ProjectPlace, 'state'>): void {
  mkdirSync(state, { recursive: true, mode: 0o700 });
  writeFileSync(join(state, mark), '', { mode: 0o600 });
}

export function isConfined({ state }: Pick<ProjectPlace, 'state'>, { mode }: SandboxSetting): boolean {
  return mode === 'required' || (mode === 'auto' && existsSync(join(state, mark)));
}

/** Makes the launcher for programs of a project. A program that must be in a sandbox never starts outside of one. */
export function confineFor(
  place: Pick<ProjectPlace, 'root' | 'state' | 'data'>,
  setting: SandboxSetting,
  watch: Omit<RepositoryWatch, 'env'>,
): Confine {
  let proven = false;
  return async (start) => {
    if (!isConfined(place, setting)) return bareLaunch(start);
    const { line, tree, env } = start;
    // Loaded on demand: rarely needed, and the start of a server must not wait for it.
    const { tellHidden } = await import('./credentials.ts');
    const { probeSandbox } = await import('./probe.ts');
    const { sandboxPlace } = await import('./project-place.ts');
    const { watchRepositories } = await import('./repositories.ts');
    const { whyUnavailable } = await import('./sandbox-text.ts');
    const { wrapInSandbox } = await import('./sandboxed.ts');
    const { realSight } = await import('./sight.ts');
    const there = sandboxPlace({ ...place, tree }, env, {
      cwd: start.cwd ?? tree,
      readOnly: start.readOnly,
      session: start.session,
      started: start.client,
      allow: setting.allow,
    });
    // Probed once: the exit code of a sandbox that cannot start must not be taken for the program's.
    const found = proven ? undefined : await probeSandbox(there, env);
    if (found !== undefined && 'reason' in found) return { refused: (lang) => whyUnavailable(found, lang) };
    proven = true;
    const unwatch = await watchRepositories(there, place.state, { ...watch, env });
    const box = wrapInSandbox(line, there, env);
    if ('reason' in box) {
      await unwatch();
      return { refused: (lang) => whyUnavailable(box, lang) };
    }
    const { kind, ...launch } = box;
    return {
      ...launch,
      sandbox: kind,
      hidden: tellHidden(there, realSight),
      async ended() {
        await box.ended();
        await unwatch();
      },
    };
  };
}

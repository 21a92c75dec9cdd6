import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/load.ts';
import type { Place } from '../config/locate.ts';
import type { Confine } from '../kernel/confine.ts';
import { bareLaunch } from '../kernel/confine.ts';

const mark = 'sandboxed';

/** Remembers that an agent has worked in this project in a sandbox: from now on what it wrote runs in one. */
export function markSandboxed({ state }: Place): void {
  mkdirSync(state, { recursive: true, mode: 0o700 });
  writeFileSync(join(state, mark), '', { mode: 0o600 });
}

/** `off`: never. `required`: always. `auto`: wherever a sandboxed agent has worked. Never outside where it should be inside. */
export function confineFor({ place, sandbox }: Pick<Config, 'place' | 'sandbox'>): Confine {
  return async (start) => {
    const wanted = sandbox.mode === 'required' || (sandbox.mode === 'auto' && existsSync(join(place.state, mark)));
    if (!wanted) return bareLaunch(start);
    const { line, tree, env } = start;
    // Seldom needed, and no server's start shall wait for it.
    const [{ sandboxed }, { sandboxPlace }, { whyUnavailable }] = await Promise.all([
      import('../machine/sandbox/sandboxed.ts'),
      import('./sandbox.ts'),
      import('./sandbox-text.ts'),
    ]);
    const options = { cwd: tree, session: undefined, started: undefined, allow: sandbox.allow };
    const box = sandboxed(line, sandboxPlace({ ...place, tree }, env, options), env);
    if ('reason' in box) return { refused: (lang) => whyUnavailable(box, lang) };
    const { kind, program, args, env: inside, descriptors } = box;
    return {
      program,
      args,
      env: inside,
      descriptors,
      sandbox: kind,
      started: () => box.started(),
      ended: () => box.ended(),
    };
  };
}

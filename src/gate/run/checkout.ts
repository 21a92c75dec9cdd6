import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Project } from '../../kernel/context.ts';

const known = new Map<string, string>();

/** Returns the stored random name of this machine's copy: neither path nor host name identifies a copy of a project. */
export function checkoutOf({ state }: Pick<Project, 'state'>): string {
  const before = known.get(state);
  if (before !== undefined) return before;
  const file = join(state, 'checkout');
  if (!existsSync(file)) {
    mkdirSync(state, { recursive: true, mode: 0o700 });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, randomUUID(), { mode: 0o600 });
    try {
      // Unlike a rename, a link never replaces an existing file: the first process sets the name.
      linkSync(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  }
  const name = readFileSync(file, 'utf8');
  known.set(state, name);
  return name;
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { sessionFolder, sessionSocket } from './place.ts';

/**
 * The socket to the daemon, for a process in a sandbox; undefined outside of any. By its fixed place too: Codex gives its
 * servers a bare environment. Whoever sets the variable outside only loses his own way to the gate.
 */
export function socketInside(env: Environment): string | undefined {
  const fixed = join(sessionFolder, sessionSocket);
  const [mark, folder] = (env['SEKISHO_SANDBOX'] ?? '').split(':', 2);
  // macOS has no mounts: there the mark says where it is.
  if (folder !== undefined) return join(folder, sessionSocket);
  return mark !== '' || existsSync(fixed) ? fixed : undefined;
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { sessionFolder, sessionSocket } from './place.ts';

/**
 * The socket to the daemon for a process in a sandbox; undefined outside. It is also found at its constant path, since Codex
 * gives its servers an empty environment. A process outside that sets the variable only loses its own way to the gate.
 */
export function socketInside(env: Environment): string | undefined {
  const fixed = join(sessionFolder, sessionSocket);
  const [mark, folder] = (env['SEKISHO_SANDBOX'] ?? '').split(':', 2);
  // macOS has no mounts, so the mark contains the folder.
  if (folder !== undefined) return join(folder, sessionSocket);
  return mark !== '' || existsSync(fixed) ? fixed : undefined;
}

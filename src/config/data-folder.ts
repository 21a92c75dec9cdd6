import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../base/environment.ts';

/** Where Sekisho keeps what belongs to a user and not to a project's version control. */
export interface DataFolder {
  readonly path: string;
  /** A copy of this program, and the shim by which hooks and servers reach it. */
  readonly app: string;
  /** Databases, tokens, the registry of roots: the owner's alone (0700), and nothing that an agent has to reach. */
  readonly state: string;
  /** The user's own database: people, tokens, trust. One a machine, also where projects are in PostgreSQL. */
  readonly userDatabase: string;
  /** The agent's token, for client configurations. A person's is in no file. */
  readonly agentToken: string;
}

/**
 * `$XDG_DATA_HOME/sekisho`, else where this platform keeps such things. The shim knows the folder that it lies in, whatever a
 * client made of those variables, and says so in `SEKISHO_DATA`.
 */
export function dataFolder(env: Environment): DataFolder {
  const path = env['SEKISHO_DATA'] || join(parentOf(env), 'sekisho');
  const state = join(path, 'state');
  return {
    path,
    app: join(path, 'app'),
    state,
    userDatabase: join(state, 'user.db'),
    agentToken: join(state, 'agent.token'),
  };
}

function parentOf(env: Environment): string {
  const { XDG_DATA_HOME: given, LOCALAPPDATA: local } = env;
  if (given !== undefined && given !== '') return given;
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  if (process.platform === 'win32') return local ?? join(homedir(), 'AppData', 'Local');
  return join(homedir(), '.local', 'share');
}

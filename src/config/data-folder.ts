import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../base/environment.ts';

/** The user's folder for Sekisho's data outside of projects. */
export interface DataFolder {
  readonly path: string;
  /** The copy of this program, and the shim through which hooks and servers start it. */
  readonly app: string;
  /** Databases, tokens and the registry of roots. Only the owner has access (0700), and no agent needs it. */
  readonly state: string;
  /** The user's own database: people, tokens, trust. There is one per machine, even if projects are in PostgreSQL. */
  readonly userDatabase: string;
  /** The agents' token, for client configurations. A person's token is in no file. */
  readonly agentToken: string;
}

/** The data folder. The shim sets `SEKISHO_DATA` to its own, since clients can change the other variables. */
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

import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../../app/application.ts';
import type { ClientConnection } from '../../kernel/context.ts';
import { instanceOf } from '../../kernel/identity.ts';

/**
 * What an agent's commands have instead of a connection: a secret in this project's own folder of the user, which a session
 * that is opened on the command line belongs to. So the next command is proved to be the same agent's. Each instance of a
 * Runner has its own. People and callers with a token prove themselves by other means.
 */
export async function keptConnection(app: App, makes: boolean): Promise<ClientConnection | undefined> {
  const { person, verified } = await app.actor({});
  if (person || verified) return undefined;
  const { config } = app;
  const instance = instanceOf(config);
  const name = instance === undefined ? 'anyone' : encodeURIComponent(`${instance.agentId} ${instance.projectId}`);
  const folder = join(config.project.state, 'command-line');
  const file = join(folder, name);
  if (makes && !existsSync(file)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    try {
      writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600, flag: 'wx' });
    } catch (error) {
      // Another command has just made it.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  if (!existsSync(file)) return undefined;
  const id = `command line:${readFileSync(file, 'utf8')}`;
  return {
    id,
    shared: id,
    name: undefined,
    era: 'legacy',
    capabilities: {},
    voice: undefined,
    standing: () => undefined,
  };
}

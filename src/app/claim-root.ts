import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Config } from '../config/load.ts';
import { locate, ownDatabase } from '../config/locate.ts';
import { registerRoot } from '../config/register.ts';
import type { ClaimRoot } from '../work/ports.ts';
import { databaseName } from '../base/database-name.ts';

/** Registers the folder of a new project for this configuration's store. Returns the other database if the folder has one. */
export function claimRootFor(config: Config): ClaimRoot {
  const { place } = config;
  const own = databaseName(config.db);
  const { SEKISHO_PROJECT: _project, ...env } = config.environment;
  return (given, look) => {
    const folder = given.replace(/^~(?=\/|$)/, homedir());
    // The folder is on another machine, where a Runner tells its agents which store they belong to.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
    const find = () => locate({ project: folder, cwd: place.root, env });
    const before = find();
    if (before.root === place.root) return undefined;
    if (!before.registered) {
      // The folder is not registered, but was used: the store of its path has runs.
      if (before.db !== config.db && existsSync(before.db)) return databaseName(before.db);
      if (look === 'look') return undefined;
      registerRoot(place.data, folder, new Date(), {
        store: place.storeId,
        db: config.db === ownDatabase(place.state) ? undefined : own,
      });
    }
    const { db } = find();
    return databaseName(db) === own ? undefined : databaseName(db);
  };
}

import { type Config, type Flags, type Surroundings, loadConfig, readSurroundings } from '../config/load.ts';
import { projectFolders } from '../fleet/agents.ts';
import { modules } from '../modules.ts';

/** The configuration with the settings of every module. */
export function configure(flags: Flags, around: Surroundings = readSurroundings()): Promise<Config> {
  return loadConfig(
    flags,
    { clientVariables: projectFolders, ...around },
    modules.flatMap((one) => one.settings ?? []),
  );
}

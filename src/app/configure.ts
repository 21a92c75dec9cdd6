import type { Config, Flags, Surroundings } from '../config/load.ts';
import { loadConfig } from '../config/load.ts';
import { modules } from '../modules.ts';

/** The configuration with the settings of every module. */
export function configure(flags: Flags, around?: Surroundings): Promise<Config> {
  return loadConfig(
    flags,
    around,
    modules.flatMap((one) => one.settings ?? []),
  );
}

import type { Config } from '../config/load.ts';
import { readConfiguration } from '../config/trust.ts';
import type { Log } from '../kernel/context.ts';
import type { Configured } from '../kernel/setting.ts';

/** Reads the configuration anew where what counts of it is not what it was. */
export function currentSettingsFor(config: Config, log: Log): () => Promise<Configured> {
  const look = () => {
    const { text, trust } = readConfiguration(config.place);
    return JSON.stringify([trust === 'never', text]);
  };
  let { settings } = config;
  let seen = look();
  return async () => {
    const now = look();
    if (now === seen) return settings;
    seen = now;
    try {
      ({ settings } = await config.reread());
    } catch (error) {
      // What cannot be used leaves what there was.
      log.warn('the configuration was not read anew', { reason: String(error) });
    }
    return settings;
  };
}

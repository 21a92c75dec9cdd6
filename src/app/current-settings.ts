import type { Config } from '../config/load.ts';
import { readConfiguration } from '../config/trust.ts';
import type { Log } from '../kernel/context.ts';
import type { Configured } from '../kernel/setting.ts';

/** Returns a function that reloads the settings when the trusted configuration has changed. */
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
      // An unusable configuration leaves the old settings in effect.
      log.warn('the configuration was not reloaded', { reason: String(error) });
    }
    return settings;
  };
}

import { join } from 'node:path';
import { type Config, readSurroundings } from '../../config/load.ts';
import type { RecordTrust } from '../../gate/ports.ts';
import { configurationFile } from '../../kernel/trust.ts';
import { configure } from '../configure.ts';
import { trustFiles } from './trust-files.ts';
import { userHead } from './user-head.ts';

/** Keeps what a person saw of this project. A configuration that could not be used is refused first: it would lock everybody out. */
export function recordTrustFor(config: Config): RecordTrust {
  return async (context, seen) => {
    const text = seen.find((one) => one.file === configurationFile)?.text;
    if (text !== undefined) {
      const path = join(config.place.home, 'config.yaml');
      const configuration = { path, text, trust: 'trusted' as const };
      await configure({ project: config.place.root }, { ...readSurroundings(), configuration });
    }
    await trustFiles(config, context.actor, seen);
    const [head] = await userHead(config, context, context.store);
    if (head !== undefined) await context.store.commit([], [head]);
  };
}

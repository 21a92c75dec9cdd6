import { join } from 'node:path';
import { type Config, readSurroundings } from '../../config/load.ts';
import type { RecordTrust } from '../../gate/ports.ts';
import { configurationFile } from '../../kernel/trust.ts';
import { configure } from '../configure.ts';
import { trustFiles } from './trust-files.ts';
import { userHead } from './user-head.ts';

/** Records the files that a person reviewed. An unusable configuration is refused first: it would lock everyone out. */
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

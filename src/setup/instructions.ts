import { join } from 'node:path';
import type { Lang } from '../kernel/text/text.ts';
import type { Client } from './client.ts';
import type { Part } from './setup-part.ts';
import { setupPhrase } from './setup-text.ts';

/** The block for the instruction files that clients read at every start. */
export function instructions(tree: string, clients: readonly Client[], process: string, lang: Lang): readonly Part[] {
  const names = [...new Set(clients.flatMap((one) => one.instructions ?? []))];
  const block = setupPhrase.instructions({ process })(lang);
  return names.map((name) => ({ client: 'instructions', path: join(tree, name), block }));
}

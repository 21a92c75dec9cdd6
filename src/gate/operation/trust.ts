import * as z from 'zod';
import { entry } from '../../kernel/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import type { Listed } from '../definition/catalog.ts';
import { listDefinitions } from '../definition/catalog.ts';
import { commandsOf, trustWrite } from '../definition/trust.ts';
import { problem } from '../problem.ts';

export const trust = defineOperation({
  name: 'trust',
  toolsets: ['admin'],
  effect: 'write',
  idempotent: true,
  summary: 'Let the command guards of a definition file run. A changed file has to be trusted anew.',
  example: '--file .sekisho/processes/hotfix.yaml',
  input: z.strictObject({
    file: z
      .string()
      .optional()
      .describe('Which definition file; left out: every one of the project that has command guards'),
    digests: z.array(z.string()).optional().describe('Only files with exactly this content'),
  }),
  output: z.object({
    trusted: z.array(
      z.object({ file: z.string(), process_id: z.string(), digest: z.string(), commands: z.array(z.string()) }),
    ),
  }),
  async confirm(context, input) {
    const chosen = await choose(context, input.file);
    if (chosen.length === 0) return undefined;
    const shown = chosen.map((one) => [one.file, ...commandsOf(one).map((line) => `  runs: ${line}`)].join('\n'));
    // A file that changes while the question stands was not seen.
    return { text: shown.join('\n'), input: { ...input, digests: chosen.map((one) => one.digest) } };
  },
  async run(context, input) {
    const found = await choose(context, input.file);
    const chosen = found.filter((one) => input.digests?.includes(one.digest) ?? true);
    const at = context.now().toISOString();
    for (const one of chosen) {
      await context.store.commit(
        [trustWrite(one.digest, one.file, context.actor.id, at)],
        [entry(context, one.file, 'definition.trusted', { digest: one.digest, commands: commandsOf(one) })],
      );
    }
    return {
      trusted: chosen.map((one) => ({
        file: one.file,
        process_id: one.id ?? '',
        digest: one.digest,
        commands: [...commandsOf(one)],
      })),
    };
  },
});

async function choose(
  context: Parameters<typeof listDefinitions>[0],
  file: string | undefined,
): Promise<readonly Listed[]> {
  const own = (await listDefinitions(context)).filter((one) => !one.shipped);
  if (file === undefined) return own.filter((one) => commandsOf(one).length > 0);
  const found = own.filter((one) => one.path === file || one.file === file.replace(/^\.\//, '') || one.id === file);
  if (found.length === 0) {
    const known = own.map((one) => one.file);
    throw problem.PROCESS_NOT_FOUND({ process_id: file, known, broken: [] }, { known_processes: known });
  }
  const broken = found.find((one) => one.definition === undefined);
  if (broken !== undefined)
    throw problem.PROCESS_INVALID({ process_id: file, findings: broken.findings }, { problems: broken.findings });
  return found;
}

import * as z from 'zod';
import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { digestOf } from '../definition/file.ts';
import { findingLine, translateFinding } from '../definition/finding.ts';
import { type PendingFile, listPending, showPending } from '../definition/pending.ts';
import { recordTrust } from '../ports.ts';
import { problem } from '../problem.ts';
import { described, words } from '../words.ts';

export const trust = defineOperation({
  name: 'trust',
  toolsets: ['admin'],
  effect: 'write',
  idempotent: true,
  summary: words(
    'Trust the configuration and the definitions as they are now. Until then a changed file has no effect: the last trusted version stays in effect.',
  ),
  example: '--files .sekisho/processes/hotfix.yaml',
  input: z.strictObject({
    files: described(
      z.array(z.string()).optional(),
      'Files to trust; by default the configuration and every definition that changed',
    ),
    digests: described(
      z.array(z.string()).optional(),
      'Only files with exactly this content, "removed" for one that is gone; "digest file": only that file',
    ),
  }),
  output: z.object({
    trusted: z.array(
      z.object({
        file: z.string(),
        state: z.enum(['new', 'changed', 'removed']),
        process_id: z.string().nullable(),
        digest: z.string().nullable(),
        commands: z.array(z.string()),
      }),
    ),
    broken: z.array(z.object({ file: z.string(), problems: z.array(z.string()) })),
  }),
  async confirm(context, input) {
    const { sound } = await chooseFiles(context, input.files);
    if (sound.length === 0) return undefined;
    // Binds the answer to the files that the person was shown: a file that changes before they answer was not reviewed.
    return { text: sound.map(showPending).join('\n'), input: { ...input, digests: sound.map(identifyFile) } };
  },
  async run(context, input) {
    const { sound, broken } = await chooseFiles(context, input.files);
    const chosen = sound.filter((one) => isMeant(one, input.digests));
    await recordTrust.of(context)(context, chosen);
    // Record the trust in the project's journal too: from now on the guards may run.
    const [first, ...rest] = chosen.map((one) =>
      entry(context, one.file, 'file.trusted', { digest: contentOf(one), commands: one.programs }),
    );
    if (first !== undefined) await context.store.commit([], [first, ...rest]);
    return {
      trusted: chosen.map((one) => ({
        file: one.file,
        state: one.state,
        process_id: one.processId ?? null,
        digest: one.text === undefined ? null : contentOf(one),
        commands: [...one.programs],
      })),
      broken: broken.map((one) => ({
        file: one.file,
        problems: one.errors.map((finding) => findingLine(finding, context.say)),
      })),
    };
  },
});

function isMeant(one: PendingFile, digests: readonly string[] | undefined): boolean {
  return digests === undefined || digests.includes(contentOf(one)) || digests.includes(identifyFile(one));
}

/** Identifies a file by content and name: another file may have the same content by now, or also be removed. */
function identifyFile(one: PendingFile): string {
  return `${contentOf(one)} ${one.file}`;
}

function contentOf({ text }: PendingFile): string {
  return text === undefined ? 'removed' : digestOf(text);
}

interface Choice {
  readonly sound: readonly PendingFile[];
  /** Files with errors: their effect cannot be shown, so they cannot be trusted. */
  readonly broken: readonly PendingFile[];
}

async function chooseFiles(context: Context, files: readonly string[] | undefined): Promise<Choice> {
  const pending = await listPending(context);
  const named = (one: PendingFile, file: string) => one.file === file.replace(/^\.\//, '') || one.processId === file;
  for (const file of files ?? []) {
    const found = pending.find((one) => named(one, file));
    const known = [...pending.map((one) => one.file), ...context.project.trusted().keys()];
    if (found === undefined && !known.includes(file.replace(/^\.\//, '')))
      throw problem.PROCESS_NOT_FOUND({ process_id: file, known, broken: [] }, { known_processes: known });
    if (found !== undefined && found.errors.length > 0)
      throw problem.PROCESS_INVALID(
        { process_id: file, findings: found.errors },
        { problems: found.errors.map((one) => translateFinding(one, context.say)) },
      );
  }
  const chosen = pending.filter((one) => files?.some((file) => named(one, file)) ?? true);
  return {
    sound: chosen.filter((one) => one.errors.length === 0),
    broken: chosen.filter((one) => one.errors.length > 0),
  };
}

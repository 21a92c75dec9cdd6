import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { text } from '../../kernel/row.ts';
import { readArtifact } from '../run/artifacts.ts';
import { contentOf } from '../run/content.ts';
import { readKept } from '../run/kept-bytes.ts';
import { readRun } from '../run/runs.ts';
import { problem } from '../problem.ts';

export const readEvidence = defineOperation({
  name: 'read_evidence',
  toolsets: ['admin'],
  effect: 'read',
  summary: 'The content of a file that was handed in to a run, of any version; or the working copy as it is now.',
  example: '--run-id run-… --path notes.md',
  input: z.strictObject({
    run_id: z.string().describe('Which run'),
    path: z.string().describe('Which file, as the run names it'),
    version: z
      .union([z.int().min(1), z.literal('working')])
      .optional()
      .describe('Which version; "working": the file as it is now; left out: the newest that was handed in'),
  }),
  output: z.object({
    path: z.string(),
    version: z.number().nullable().describe('null: the working copy'),
    digest: z.string().nullable().describe('null: there is no such file any more'),
    size: z.number(),
    actor: z.string().nullable(),
    at: z.string().nullable(),
    is_kept: z.boolean().describe('False: too large to be kept, or removed by a person'),
    media_type: z.string().nullable().describe('What it is by its content; null where that is not known'),
    text: z.string().nullable().describe('Where it is text of at most 1 MiB'),
    base64: z.string().nullable().describe('Where it is an image that can be shown'),
  }),
  async run(context, { run_id: id, path, version }) {
    const { run } = await readRun(context, id);
    if (version === 'working') {
      const now = await readArtifact(context, run.tree, path, run.definition);
      const none = { path, version: null, digest: null, size: 0, actor: null, at: null };
      if (typeof now === 'string') return { ...none, ...contentOf(undefined) };
      const { digest, size } = now.artifact;
      return { ...none, digest, size, ...contentOf(now.bytes) };
    }
    const [[row] = []] = await context.store.read([
      {
        sql: `select version, digest, size, actor, at from artifact_version where run_id = :run and path = :path
          ${version === undefined ? '' : 'and version = :version'} order by version desc limit 1`,
        args: { run: run.id, path, ...(version !== undefined && { version }) },
      },
    ]);
    if (row === undefined) throw problem.EVIDENCE_NOT_FOUND({ path, run_id: run.id });
    return {
      path,
      version: Number(row['version']),
      digest: text(row, 'digest'),
      size: Number(row['size']),
      actor: text(row, 'actor'),
      at: text(row, 'at'),
      ...contentOf(await readKept(context.store, text(row, 'digest'))),
    };
  },
});

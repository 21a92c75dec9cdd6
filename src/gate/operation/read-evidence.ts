import { isUtf8 } from 'node:buffer';
import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { text, readRows } from '../../kernel/store/row.ts';
import { readArtifact } from '../evidence/artifacts.ts';
import { readCurrentEvidence } from '../evidence/current-evidence.ts';
import { readKept } from '../evidence/kept-bytes.ts';
import { asReviewer } from '../approval/review.ts';
import { readRun } from '../run/runs.ts';
import { problem } from '../problem.ts';
import { described, words } from '../words.ts';

export const readEvidence = defineOperation({
  name: 'read_evidence',
  toolsets: ['admin'],
  effect: 'read',
  summary: words('The content of a file that was submitted to a run, in any version; or the current working copy.'),
  example: '--run-id run-… --path notes.md',
  input: z.strictObject({
    run_id: described(z.string(), 'Which run'),
    path: described(z.string(), 'Path of the file, as the run lists it'),
    version: described(
      z.union([z.int().min(1), z.literal('working')]).optional(),
      'Version, even one that describe_run lists but is not recorded yet; "working": the current file; the newest submitted version by default',
    ),
  }),
  output: z.object({
    path: z.string(),
    version: described(z.number().nullable(), 'null: the working copy'),
    digest: described(z.string().nullable(), 'null: the file no longer exists'),
    size: z.number(),
    actor: z.string().nullable(),
    at: described(z.string().nullable(), 'null: not recorded yet'),
    is_kept: described(z.boolean(), 'False: too large to be kept, or removed by a person'),
    media_type: described(z.string().nullable(), 'Type by its content; null if it is not known'),
    text: described(z.string().nullable(), 'Present if it is text of at most 1 MiB'),
    base64: described(z.string().nullable(), 'Present if it is an image that can be shown'),
  }),
  async run(context, { run_id: id, path, version }) {
    const snapshot = await readRun(context, id);
    const { run } = snapshot;
    if (version === 'working') {
      const now = await readArtifact(context, run, path);
      const none = { path, version: null, digest: null, size: 0, actor: null, at: null };
      if (typeof now === 'string') return { ...none, ...contentOf(undefined) };
      const { digest, size } = now.artifact;
      return { ...none, digest, size, ...contentOf(now.bytes) };
    }
    const [row] = await readRows(
      context.store,
      `select version, digest, size, actor, at from artifact_version where run_id = :run and path = :path
          ${version === undefined ? '' : 'and version = :version'} order by version desc limit 1`,
      { run: run.id, path, ...(version !== undefined && { version }) },
    );
    if (row === undefined) {
      const { artifacts, keeper } = await readCurrentEvidence(asReviewer(context), snapshot);
      const found = artifacts.find((one) => one.path === path && (version ?? one.version) === one.version);
      if (found === undefined) throw problem.EVIDENCE_NOT_FOUND({ path, run_id: run.id });
      const { digest, size, actor } = found;
      return { path, version: found.version, digest, size, actor, at: null, ...contentOf(keeper.get(digest)) };
    }
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

const maxText = 1 << 20;

/** Image types by their first bytes, since a name proves nothing. SVG counts as text, because it can carry scripts. */
const images: readonly { readonly type: string; readonly begins: RegExp }[] = [
  { type: 'image/png', begins: /^\x89PNG\r\n/ },
  { type: 'image/jpeg', begins: /^\xff\xd8\xff/ },
  { type: 'image/webp', begins: /^RIFF[\s\S]{4}WEBP/ },
];

/** Returns the content to show: text or a known image. Other content is not shown. */
function contentOf(bytes: Buffer | undefined) {
  const nothing = { is_kept: bytes !== undefined, media_type: null, text: null, base64: null };
  if (bytes === undefined) return nothing;
  const head = bytes.subarray(0, 16).toString('latin1');
  const image = images.find((one) => one.begins.test(head));
  if (image !== undefined) return { ...nothing, media_type: image.type, base64: bytes.toString('base64') };
  if (bytes.includes(0) || !isUtf8(bytes)) return nothing;
  return { ...nothing, media_type: 'text/plain', text: bytes.length > maxText ? null : bytes.toString('utf8') };
}

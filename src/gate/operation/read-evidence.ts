import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { text } from '../../kernel/store/row.ts';
import { readArtifact } from '../evidence/artifacts.ts';
import { contentOf } from '../evidence/content.ts';
import { readCurrentEvidence } from '../evidence/current-evidence.ts';
import { readKept } from '../evidence/kept-bytes.ts';
import { asReviewer } from '../approval/review.ts';
import { readRun } from '../run/runs.ts';
import { problem } from '../problem.ts';
import { told } from '../../kernel/text/described.ts';

export const readEvidence = defineOperation({
  name: 'read_evidence',
  toolsets: ['admin'],
  effect: 'read',
  summary: {
    en: 'The content of a file that was handed in to a run, of any version; or the working copy as it is now.',
    ja: 'run に提出されたファイルの内容です。どのバージョンでも、今の作業コピーでも読めます。',
  },
  example: '--run-id run-… --path notes.md',
  input: z.strictObject({
    run_id: told(z.string(), { en: 'Which run', ja: 'run の ID' }),
    path: told(z.string(), { en: 'Which file, as the run names it', ja: 'run での名前によるファイル指定' }),
    version: told(z.union([z.int().min(1), z.literal('working')]).optional(), {
      en: 'Which version, also one that describe_run lists and that is not recorded yet; "working": the file as it is now; left out: the newest that was handed in',
      ja: 'バージョン (describe_run が示す、まだ記録されていないものも指定できます。"working" は今のファイル。省略すると最後に提出されたもの)',
    }),
  }),
  output: z.object({
    path: z.string(),
    version: told(z.number().nullable(), { en: 'null: the working copy', ja: 'null は作業コピー' }),
    digest: told(z.string().nullable(), {
      en: 'null: there is no such file any more',
      ja: 'null はファイルがもうないことを示します',
    }),
    size: z.number(),
    actor: z.string().nullable(),
    at: told(z.string().nullable(), { en: 'null: not recorded yet', ja: 'null はまだ記録されていないもの' }),
    is_kept: told(z.boolean(), {
      en: 'False: too large to be kept, or removed by a person',
      ja: 'false は大きすぎて保存されなかったか、人が削除したことを示します',
    }),
    media_type: told(z.string().nullable(), {
      en: 'What it is by its content; null where that is not known',
      ja: '内容から分かる種類 (分からなければ null)',
    }),
    text: told(z.string().nullable(), { en: 'Where it is text of at most 1 MiB', ja: '1 MiB 以下のテキストの場合' }),
    base64: told(z.string().nullable(), { en: 'Where it is an image that can be shown', ja: '表示できる画像の場合' }),
  }),
  async run(context, { run_id: id, path, version }) {
    const snapshot = await readRun(context, id);
    const { run } = snapshot;
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

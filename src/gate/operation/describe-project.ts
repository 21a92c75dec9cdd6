import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { fileTrusts } from '../../kernel/trust.ts';
import { ringsPort } from '../ports.ts';
import { told } from '../../kernel/text/described.ts';

export const describeProject = defineOperation({
  name: 'describe_project',
  toolsets: ['admin'],
  effect: 'read',
  summary: {
    en: 'This project: where it is, its database, whether its files are as a person saw them, and which rings hold.',
    ja: 'このプロジェクトの場所、データベース、ファイルが人の確認したとおりか、どの輪が有効かを示します。',
  },
  input: z.strictObject({}),
  output: z.object({
    root: z.string(),
    key: z.string(),
    database: z.string(),
    configuration: told(z.enum(fileTrusts), {
      en: 'How the configuration stands to what a person saw',
      ja: '人が確認した内容と設定の違い',
    }),
    trusted_files: z.array(z.object({ file: z.string(), digest: z.string() })),
    rings: told(
      z.array(
        z.object({
          name: z.string(),
          client: told(z.string().nullable(), {
            en: 'null: of the project as a whole',
            ja: 'null はプロジェクト全体のもの',
          }),
          state: z.enum(['on', 'off', 'broken', 'unknown']),
          found: z.string(),
          remedy: told(z.string().nullable(), { en: 'The command that mends it', ja: '直すためのコマンド' }),
        }),
      ),
      { en: 'Tried just now, not remembered', ja: '今試した結果 (記録ではありません)' },
    ),
  }),
  async run(context) {
    const { root, key, configuration, trusted } = context.project;
    const rings = await ringsPort.of(context)(context);
    return {
      root,
      key,
      database: context.store.location,
      configuration,
      trusted_files: [...trusted()].map(([file, { digest }]) => ({ file, digest })),
      rings: rings.map(({ name, client, state, found, remedy }) => ({
        name,
        client: client ?? null,
        state,
        found: context.say(found),
        remedy: remedy ?? null,
      })),
    };
  },
});

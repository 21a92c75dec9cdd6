import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { listedRoles } from '../role/listed.ts';
import { permissions } from '../agent-cli.ts';
import { told } from '../../kernel/text/described.ts';

const checkSchema = z
  .object({ status: z.enum(['passed', 'failed']), message: z.string().nullable(), checkedAt: z.string() })
  .nullable();

export const listRoles = defineOperation({
  name: 'list_roles',
  toolsets: ['fleet'],
  effect: 'read',
  summary: {
    en: 'The roles that agents can have, with the program and model of each and whether it can be used.',
    ja: 'エージェントに割り当てられるロールの一覧です。プログラム、モデル、使えるかどうかが分かります。',
  },
  example: '',
  input: z.strictObject({}),
  output: z.object({
    roles: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        cli: z.string(),
        model: z.string(),
        description: told(z.string().nullable(), {
          en: 'What it is for, where the configuration says',
          ja: '用途 (設定に書かれている場合)',
        }),
        permissions: told(z.enum(permissions), {
          en: 'read: looks only; edit: changes files; full: runs commands too',
          ja: 'read は閲覧のみ、edit はファイルの変更、full はコマンドの実行まで',
        }),
        available: z.boolean(),
        healthCheck: checkSchema,
        modelValidation: checkSchema,
      }),
    ),
  }),
  async run(context) {
    return { roles: [...(await listedRoles(context))] };
  },
});

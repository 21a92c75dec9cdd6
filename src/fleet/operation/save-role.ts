import * as z from 'zod';
import { entry } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { problem as kernelProblem } from '../../kernel/problem.ts';
import { told } from '../../kernel/text/described.ts';
import { configurationFile } from '../../kernel/trust.ts';
import { permissions } from '../agent-cli.ts';
import { readRoleFile, writeRole } from '../role/role-file.ts';
import type { RoleEntry } from '../role/roles.ts';
import { rolesSchema } from '../settings-schema.ts';

export const saveRole = defineOperation({
  name: 'save_role',
  toolsets: ['admin'],
  effect: 'write',
  summary: {
    en: 'Write a role into the configuration file. It holds once a person has trusted the file (trust).',
    ja: 'ロールを設定ファイルに書き込みます。人がファイルを信頼する (trust) と有効になります。',
  },
  example: '--role-id code-review --model opus --digest …',
  input: z.strictObject({
    role_id: told(z.string(), { en: 'Which role; a new one is added', ja: 'ロールの ID。なければ追加されます' }),
    name: told(z.string().optional(), { en: 'What people call it', ja: '表示名' }),
    description: told(z.string().optional(), { en: 'What it is for', ja: '用途' }),
    cli: told(z.string().optional(), {
      en: 'Which program: claude, codex … or command',
      ja: 'プログラム (claude、codex など。または command)',
    }),
    model: told(z.string().optional(), {
      en: 'Which model; "default": the program’s own',
      ja: 'モデル。"default" はプログラムの既定',
    }),
    command: told(z.array(z.string()).optional(), {
      en: 'The program and its arguments, for cli command',
      ja: 'cli が command のときのプログラムと引数',
    }),
    system_prompt: told(z.string().optional(), {
      en: 'What its agents are told first',
      ja: '最初に渡すシステムプロンプト',
    }),
    permissions: told(z.enum(permissions).optional(), {
      en: 'read: looks only; edit: changes files; full: runs commands too',
      ja: 'read: 閲覧のみ、edit: ファイルの変更、full: コマンドの実行も可',
    }),
    digest: told(z.string(), {
      en: 'Of the file as you saw it, from describe_role',
      ja: 'describe_role が返したファイルのダイジェスト',
    }),
  }),
  output: z.object({
    role_id: z.string(),
    file: told(z.string(), { en: 'What has to be trusted now', ja: '信頼の必要なファイル' }),
  }),
  async run(context, { role_id: id, system_prompt: systemPrompt, command = [], digest, ...given }) {
    const before = readRoleFile(context.project).roles.find((one) => one.id === id);
    const role = whole({ ...before, ...given, id, systemPrompt, command: command.length > 0 ? command : undefined });
    const found = rolesSchema.safeParse([role]);
    if (!found.success) {
      const errors = found.error.issues.map((issue) => ({
        path: `/${issue.path.slice(1).join('/')}`,
        message: issue.message,
      }));
      throw kernelProblem.VALIDATION_ERROR({ errors }, { validation_errors: errors });
    }
    writeRole(context.project, role, digest);
    await context.store.commit([], [entry(context, `role:${id}`, 'role.saved', { file: configurationFile })]);
    return { role_id: id, file: configurationFile };
  },
});

/** Without what was left out or emptied: a default must not be hidden by nothing. */
function whole(role: RoleEntry): RoleEntry {
  return Object.fromEntries(
    Object.entries(role).filter(([, value]) => value !== undefined && value !== ''),
  ) as unknown as RoleEntry;
}

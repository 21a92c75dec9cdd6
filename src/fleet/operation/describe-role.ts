import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { told } from '../../kernel/text/described.ts';
import { permissions } from '../agent-cli.ts';
import { agents } from '../agents.ts';
import { problem } from '../problem.ts';
import { readRoleFile } from '../role/role-file.ts';
import { resolveRoles } from '../role/roles.ts';

export const describeRole = defineOperation({
  name: 'describe_role',
  toolsets: ['admin'],
  effect: 'read',
  summary: {
    en: 'A role as the configuration file has it now, for whoever wants to change it.',
    ja: '設定ファイルに書かれているロールを、編集のために返します。',
  },
  example: '--role-id code-review',
  input: z.strictObject({ role_id: told(z.string(), { en: 'Which role', ja: 'ロールの ID' }) }),
  output: z.object({
    role_id: z.string(),
    name: z.string(),
    description: z.string(),
    cli: z.string(),
    model: z.string(),
    command: told(z.array(z.string()), {
      en: 'The program and its arguments, where cli is "command"',
      ja: 'プログラムと引数 (cli が "command" の場合)',
    }),
    system_prompt: z.string(),
    permissions: z.enum(permissions),
    is_default: told(z.boolean(), {
      en: 'The file says nothing of it: it comes with Sekisho',
      ja: 'ファイルに書かれていない、Sekisho 付属のものか',
    }),
    programs: told(z.array(z.string()), { en: 'What cli can be', ja: 'cli に指定できるもの' }),
    digest: told(z.string(), {
      en: 'Of the file; save_role wants it',
      ja: 'ファイルのダイジェスト (save_role で使います)',
    }),
  }),
  async run({ project }, { role_id: id }) {
    const { roles, digest } = readRoleFile(project);
    const all = resolveRoles(roles);
    const role = all.find((one) => one.id === id);
    if (role === undefined)
      throw problem.ROLE_NOT_FOUND({ role: id, known: all.map((one) => one.id), note: undefined });
    return {
      role_id: role.id,
      name: role.name,
      description: role.description ?? '',
      cli: role.cli,
      model: role.model,
      command: [...(role.command ?? [])],
      system_prompt: role.systemPrompt ?? '',
      permissions: role.permissions,
      is_default: !roles.some((one) => one.id === id),
      programs: agents.map((one) => one.id),
      digest,
    };
  },
});

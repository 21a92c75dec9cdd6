import { createApp } from '../app/application.ts';
import type { Command } from './command.ts';
import { exitCode } from './command.ts';
import { configure } from '../app/configure.ts';
import { probeRole, readHealth, recordCheck } from '../fleet/index.ts';
import { renderAnswer } from '../surface/terminal/render.ts';

export const fleetCheckRoles: Command = {
  options: { 'programs-only': { type: 'boolean' } },
  usage: 'sekisho fleet check-roles [role …] [--programs-only]',
  examples: [
    'sekisho fleet check-roles',
    'sekisho fleet check-roles impl-code',
    'sekisho fleet check-roles --programs-only',
  ],
  async run({ flags, json, options, positionals }) {
    const config = await configure(flags);
    const app = createApp(config);
    try {
      const context = await app.context({});
      const all = (await readHealth(context)).map((one) => one.role);
      const chosen = positionals.length === 0 ? all : all.filter((one) => positionals.includes(one.id));
      const unknown = positionals.filter((id) => !all.some((one) => one.id === id));
      const roles = [];
      for (const role of chosen) {
        const { health, model } = await probeRole(context, role, config.environment, options['programs-only'] !== true);
        await recordCheck(context, role, { health, model });
        roles.push({
          id: role.id,
          cli: role.cli,
          model: role.model,
          available: health.status === 'passed' && model?.status !== 'failed',
          healthCheck: health,
          modelValidation: model,
        });
      }
      const answer = { roles, ...(unknown.length > 0 && { unknown }) };
      if (json || !process.stdout.isTTY) process.stdout.write(`${JSON.stringify(answer)}\n`);
      else
        process.stdout.write(
          renderAnswer({
            ...answer,
            roles: roles.map(({ healthCheck, modelValidation, ...one }) => ({
              ...one,
              health: healthCheck.message ?? healthCheck.status,
              validation: modelValidation?.message ?? modelValidation?.status ?? '',
            })),
          }),
        );
      return unknown.length === 0 && roles.every((one) => one.available) ? exitCode.ok : exitCode.refused;
    } finally {
      await app.close();
    }
  },
};

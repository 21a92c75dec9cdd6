import { createApp } from '../app/application.ts';
import { type Command, exitCode } from './frame/command.ts';
import { configure } from '../app/configure.ts';
import { type Check, probeRoles, readHealth, recordCheck } from '../fleet/index.ts';
import { print, printJson } from '../surface/terminal/print.ts';

interface Checked {
  readonly id: string;
  readonly cli: string;
  readonly model: string;
  readonly available: boolean;
  readonly healthCheck: Check;
  readonly modelValidation: Check | null;
}

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
    // The programs that are probed must not outlive this command.
    const stop = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
    try {
      const context = await app.context({ signal: stop.signal });
      const all = (await readHealth(context)).map((one) => one.role);
      const chosen = positionals.length === 0 ? all : all.filter((one) => positionals.includes(one.id));
      const unknown = positionals.filter((id) => !all.some((one) => one.id === id));
      const found = new Map<string, Checked>();
      const withPrompts = options['programs-only'] !== true;
      await probeRoles(context, chosen, config.environment, withPrompts, async (role, { health, model }) => {
        await recordCheck(context, role, { health, model });
        found.set(role.id, {
          id: role.id,
          cli: role.cli,
          model: role.model,
          available: health.status === 'passed' && model?.status !== 'failed',
          healthCheck: health,
          modelValidation: model,
        });
      });
      if (stop.signal.aborted) return exitCode.refused;
      const roles = chosen.flatMap((one) => found.get(one.id) ?? []);
      const answer = { roles, ...(unknown.length > 0 && { unknown }) };
      if (json) printJson(answer);
      else
        print(
          {
            ...answer,
            roles: roles.map(({ healthCheck, modelValidation, ...one }) => ({
              ...one,
              health: healthCheck.message ?? healthCheck.status,
              validation: modelValidation?.message ?? modelValidation?.status ?? '',
            })),
          },
          { json, lang: config.lang },
        );
      return unknown.length === 0 && roles.every((one) => one.available) ? exitCode.ok : exitCode.refused;
    } finally {
      await app.close();
    }
  },
};

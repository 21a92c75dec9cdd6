import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { fileTrusts } from '../../kernel/trust.ts';
import { ringsPort } from '../ports.ts';
import { described, words } from '../words.ts';

export const describeProject = defineOperation({
  name: 'describe_project',
  toolsets: ['admin'],
  effect: 'read',
  summary: words(
    'This project: its folder and database, whether its files are trusted, and which protection rings are active.',
  ),
  input: z.strictObject({}),
  output: z.object({
    root: z.string(),
    key: z.string(),
    database: z.string(),
    configuration: described(z.enum(fileTrusts), 'Whether the configuration is the version that a person trusted'),
    trusted_files: z.array(z.object({ file: z.string(), digest: z.string() })),
    rings: described(
      z.array(
        z.object({
          name: z.string(),
          client: described(z.string().nullable(), 'null: the whole project'),
          state: z.enum(['on', 'off', 'broken', 'unknown']),
          found: z.string(),
          remedy: described(z.string().nullable(), 'The command that fixes it'),
        }),
      ),
      'Tested just now, not cached',
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

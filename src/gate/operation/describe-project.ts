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
    'This project: where it is, its database, whether its files are as a person saw them, and which rings hold.',
  ),
  input: z.strictObject({}),
  output: z.object({
    root: z.string(),
    key: z.string(),
    database: z.string(),
    configuration: described(z.enum(fileTrusts), 'How the configuration stands to what a person saw'),
    trusted_files: z.array(z.object({ file: z.string(), digest: z.string() })),
    rings: described(
      z.array(
        z.object({
          name: z.string(),
          client: described(z.string().nullable(), 'null: of the project as a whole'),
          state: z.enum(['on', 'off', 'broken', 'unknown']),
          found: z.string(),
          remedy: described(z.string().nullable(), 'The command that mends it'),
        }),
      ),
      'Tried just now, not remembered',
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

import * as z from 'zod';
import { topics } from '../kernel/notice.ts';
import { rule } from '../kernel/text/rule.ts';
import { words } from './words.ts';

/** Matches `${env:NAME}`, which a file has in place of a secret. */
const reference = /^\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}$/;

const variable = z
  .string()
  .regex(reference, rule(words('write ${env:NAME}: the file must not contain the secret')))
  .transform((given) => ({ env: reference.exec(given)?.[1] ?? '' }));

const target = z
  .strictObject({
    type: z.enum(['json', 'slack', 'discord', 'ntfy']).default('json'),
    /** The URL or the environment variable with it: the URL of Slack and Discord is a secret. */
    url: z.union([
      variable,
      z.url({ protocol: /^https?$/, error: rule(words('an http or https URL, or ${env:NAME}')) }),
    ]),
    secret: variable.optional(),
    on: z
      .array(z.enum(topics))
      .min(1)
      .default([...topics]),
  })
  .refine(
    ({ type, secret }) => secret === undefined || type === 'json' || type === 'ntfy',
    rule(words('the URL of slack and discord is itself the secret: write url: ${env:NAME}')),
  );

export type Target = Readonly<z.output<typeof target>>;

export const targetsSchema = z.array(target);

import * as z from 'zod';
import { rule } from '../kernel/text/rule.ts';
import { words } from './words.ts';

const upstreamName = z
  .string()
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9-]|_(?!_)){0,31}$/,
    rule(words('a name has at most 32 characters: letters, digits, - and _')),
  );

const entry = z
  .strictObject({
    url: z.url({ protocol: /^https?$/ }).optional(),
    headers: z.record(z.string(), z.string()).default({}),
    command: z.array(z.string()).min(1).optional(),
    env: z.record(z.string(), z.string()).default({}),
    skill: z.string().min(1).optional(),
    phrase: z.string().min(1).optional(),
    init: z
      .strictObject({ tool: z.string().min(1), argument: z.string().min(1), script: z.string().min(1) })
      .optional(),
    /** The only tools that are shown; undefined: all. */
    tools: z.array(z.string().min(1)).optional(),
    reconnect: z.enum(['manual', 'auto']).optional(),
    /** `content`: the journal also keeps the arguments and results of its calls. */
    journal: z.enum(['calls', 'content']).default('calls'),
  })
  .refine((one) => (one.url === undefined) !== (one.command === undefined), rule(words('give either url or command')));

/** Settings of one upstream MCP server, in the form the module uses. */
export interface UpstreamSettings extends Readonly<z.output<typeof entry>> {
  readonly name: string;
  readonly reconnect: 'manual' | 'auto';
  /** Locked until `activate`. */
  readonly gated: boolean;
}

export const upstreamsSchema = z.record(upstreamName, entry).transform((given): readonly UpstreamSettings[] =>
  Object.entries(given).map(([name, one]) => {
    const gated = one.skill !== undefined || one.phrase !== undefined;
    return { ...one, name, gated, reconnect: one.reconnect ?? (gated ? 'manual' : 'auto') };
  }),
);

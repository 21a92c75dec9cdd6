import * as z from 'zod';
import { rule } from '../kernel/text/rule.ts';
import { words } from './words.ts';

/** Settings of one upstream MCP server, in the form the module uses. */
export interface UpstreamSettings {
  readonly name: string;
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly command: readonly string[] | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly skill: string | undefined;
  readonly phrase: string | undefined;
  readonly init: { readonly tool: string; readonly argument: string; readonly script: string } | undefined;
  /** The only tools that are shown; undefined: all. */
  readonly tools: readonly string[] | undefined;
  readonly reconnect: 'manual' | 'auto';
  /** `content`: the journal also keeps the arguments and results of its calls. */
  readonly journal: 'calls' | 'content';
  /** Locked until `activate`. */
  readonly gated: boolean;
}

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
    tools: z.array(z.string().min(1)).optional(),
    reconnect: z.enum(['manual', 'auto']).optional(),
    journal: z.enum(['calls', 'content']).default('calls'),
  })
  .refine((one) => (one.url === undefined) !== (one.command === undefined), rule(words('give either url or command')));

export const upstreamsSchema = z
  .record(upstreamName, entry)
  .transform((given): readonly UpstreamSettings[] => Object.entries(given).map(([name, one]) => settle(name, one)));

function settle(name: string, one: z.output<typeof entry>): UpstreamSettings {
  const gated = one.skill !== undefined || one.phrase !== undefined;
  return {
    name,
    url: one.url,
    headers: one.headers,
    command: one.command,
    env: one.env,
    skill: one.skill,
    phrase: one.phrase,
    init: one.init,
    tools: one.tools,
    reconnect: one.reconnect ?? (gated ? 'manual' : 'auto'),
    journal: one.journal,
    gated,
  };
}

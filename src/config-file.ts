import { parse } from 'yaml';
import * as z from 'zod';
import { Problem } from './kernel/problem.ts';
import { fleetSection } from './fleet/settings.ts';
import { toolsets } from './kernel/toolset.ts';
import { phaseSection } from './phase/settings.ts';
import { upstreamSection } from './upstream/settings.ts';
import { workSection } from './work/settings.ts';

/** The product's own keys, then each module's. */
export const fileSchema = z.strictObject({
  lang: z.enum(['en', 'ja']).optional(),
  toolNames: z.enum(['dotted', 'underscore', 'auto']).optional(),
  toolsets: z.array(z.enum(toolsets)).optional(),
  db: z.string().optional(),
  projectKey: z.string().min(1).optional(),
  processes: z.array(z.string()).optional(),
  identity: z.enum(['optional', 'required']).optional(),
  hook: z.strictObject({ fail: z.enum(['auto', 'open', 'closed']).optional() }).optional(),
  http: z.strictObject({ host: z.string().optional(), port: z.int().min(0).max(65_535).optional() }).optional(),
  ...upstreamSection,
  ...fleetSection,
  ...workSection,
  ...phaseSection,
});

export type FileConfig = z.output<typeof fileSchema>;

/** `.sekisho/config.yaml`, with `${env:NAME}` filled in. */
export function parseConfig(path: string, text: string, env: Readonly<Record<string, string | undefined>>): FileConfig {
  let value: unknown;
  try {
    value = parse(text) ?? {};
  } catch (error) {
    throw new Problem('BAD_CONFIGURATION', {
      file: path,
      reason: error instanceof Error ? error.message : String(error),
    });
  }
  const parsed = fileSchema.safeParse(fill(value, path, env));
  if (parsed.success) return parsed.data;
  const reason = parsed.error.issues
    .map((issue) => `${issue.path.join('.') || 'top level'}: ${issue.message}`)
    .join('; ');
  throw new Problem('BAD_CONFIGURATION', { file: path, reason });
}

function fill(value: unknown, path: string, env: Readonly<Record<string, string | undefined>>): unknown {
  if (typeof value === 'string') {
    return value.replaceAll(/\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g, (_whole, name: string) => {
      const found = env[name];
      if (found === undefined)
        throw new Problem('BAD_CONFIGURATION', { file: path, reason: `the environment variable ${name} is not set` });
      return found;
    });
  }
  if (Array.isArray(value)) return value.map((one) => fill(one, path, env));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one, path, env)]));
  return value;
}

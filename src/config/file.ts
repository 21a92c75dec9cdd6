import { parse } from 'yaml';
import * as z from 'zod';
import { fleetSection } from '../fleet/settings.ts';
import { toolsets } from '../kernel/toolset.ts';
import { phaseSection } from '../phase/settings.ts';
import { upstreamSection } from '../upstream/settings.ts';
import { workSection } from '../work/settings.ts';
import { problem } from '../kernel/problem.ts';

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
  http: z
    .strictObject({
      host: z.string().optional(),
      port: z.int().min(0).max(65_535).optional(),
      projects: z.array(z.string()).optional(),
    })
    .optional(),
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
    throw problem.BAD_CONFIGURATION({
      file: path,
      reason: error instanceof Error ? error.message : String(error),
    });
  }
  const parsed = fileSchema.safeParse(fill(value, path, env));
  if (parsed.success) return parsed.data;
  const reason = parsed.error.issues
    .map((issue) => `${issue.path.join('.') || 'top level'}: ${issue.message}`)
    .join('; ');
  throw problem.BAD_CONFIGURATION({ file: path, reason });
}

function fill(
  value: unknown,
  path: string,
  env: Readonly<Record<string, string | undefined>>,
  optional = false,
): unknown {
  if (typeof value === 'string') {
    const unset = [...value.matchAll(reference)].find(([, name]) => env[name ?? ''] === undefined)?.[1];
    if (unset === undefined) return value.replaceAll(reference, (_whole, name: string) => env[name] ?? '');
    if (optional) return undefined;
    throw problem.BAD_CONFIGURATION({ file: path, reason: `the environment variable ${unset} is not set` });
  }
  if (Array.isArray(value)) return value.map((one) => fill(one, path, env, optional));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      // A Runner alone has the passkeys; every other process in the project reads the same file without them.
      Object.entries(value).map(([key, one]) => [key, fill(one, path, env, optional || key === 'runner')]),
    );
  return value;
}

const reference = /\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g;

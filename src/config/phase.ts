import { join, resolve } from 'node:path';
import type { FileConfig } from './file.ts';
import type { Settings } from '../kernel/context.ts';
import { packaged } from './package.ts';

const defaultList = ['phase0', 'phase1', 'phase2', 'phase3', 'phase4'].map((id) => ({ id }));
const defaultTtlMs = 3_600_000;

export function phaseSettings(
  file: FileConfig['phases'],
  env: Readonly<Record<string, string | undefined>>,
  place: { readonly root: string; readonly home: string },
  lang: 'en' | 'ja',
): Settings['phases'] {
  const source = env['SEKISHO_PHASES_SOURCE'] ?? file?.source;
  const isPath = source !== undefined && source !== 'store' && !/^https?:/i.test(source);
  const ttl = Number(env['CACHE_TTL'] || Number.NaN);
  return {
    source: isPath ? resolve(place.root, source) : source,
    ownPrompts: join(place.home, 'prompts'),
    shippedPrompts: packaged('prompts', lang),
    apiKey: env['SEKISHO_PHASES_API_KEY'] ?? file?.apiKey,
    auth: file?.auth ?? 'key',
    allowHttp: file?.allowHttp ?? false,
    label: env['SEKISHO_PHASES_LABEL'] ?? file?.label ?? 'production',
    cacheTtlMs: Number.isFinite(ttl) && ttl >= 0 ? ttl : (file?.cacheTtl ?? defaultTtlMs),
    variables: file?.variables ?? {},
    list: file?.list ?? defaultList,
  };
}

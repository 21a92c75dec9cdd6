import { defineSettings, shaped } from '../kernel/setting.ts';
import type { UpstreamSettings } from './settings-schema.ts';

export type { UpstreamSettings };

export const settings = defineSettings({
  upstreams: shaped<readonly UpstreamSettings[]>(
    [],
    async () => (await import('./settings-schema.ts')).upstreamsSchema,
  ),
});

import { join } from 'node:path';
import { defineSettings, paths } from '../kernel/setting.ts';

export const settings = defineSettings({
  /** Folders or files of process definitions, in order of preference. */
  processes: paths(({ home }) => [join(home, 'processes')]),
});

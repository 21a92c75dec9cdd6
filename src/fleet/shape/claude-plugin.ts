import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, textOf } from '../../base/json-object.ts';

/** Finds the folder of our Claude Code plugin, if a person installed it and it is enabled for this folder. */
export function pluginFolder(home: string, tree: string): string | undefined {
  // The nearest file takes precedence.
  const files = [
    join(tree, '.claude/settings.local.json'),
    join(tree, '.claude/settings.json'),
    join(home, 'settings.json'),
  ];
  const switches = files.flatMap((path) => ourEntries(jsonOf(path)['enabledPlugins']));
  const [name, on] = switches[0] ?? [];
  const installed =
    name === undefined || on !== true ? undefined : jsonOf(join(home, 'plugins/installed_plugins.json'));
  const places = isJsonObject(installed?.['plugins']) ? installed['plugins'][name ?? ''] : undefined;
  const folders = [places].flat().map((one) => (isJsonObject(one) ? textOf(one['installPath']) : undefined));
  return folders.find((one) => one !== undefined && existsSync(one));
}

/** Returns the entries of our plugin: `sekisho@<any marketplace>`. */
function ourEntries(switches: unknown): readonly (readonly [string, unknown])[] {
  return isJsonObject(switches) ? Object.entries(switches).filter(([name]) => name.startsWith('sekisho@')) : [];
}

function jsonOf(path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isJsonObject(value) ? value : {};
  } catch {
    return {}; // The file is missing, or not in Claude Code's format.
  }
}

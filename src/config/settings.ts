import { choice, count, defineSettings, SettingFault, unknownChoice, setting, text, word } from '../kernel/setting.ts';
import { resolve as resolveIn } from 'node:path';
import { type SandboxSetting, sandboxModes } from '../sandbox/port.ts';
import { isJsonObject } from '../base/json-object.ts';
import { allowedNames, isAllowedPath } from '../sandbox/allowed.ts';
import type { Lang } from '../kernel/text/text.ts';
import { type Toolset, isToolset, toolsets } from '../kernel/toolset.ts';

/** Explores, plans, implements, verifies: it fits most work. */
export const defaultProcess = 'explore-plan-implement-verify';

/** A URL as it is, a path from this folder. */
export function databaseFrom(folder: string, named: string): string {
  return /^[a-z]+:\/\//.test(named) ? named : resolveIn(folder, named);
}

/** What a hook obeys; a server and the command line obey it too. */
export const hookSettings = defineSettings({
  /** Undefined: by the locale. */
  lang: setting<Lang | undefined>(undefined, (given) => readLang(given), { flag: 'lang' }),
  /** A path or a URL. */
  db: setting<string | undefined>(
    undefined,
    (given, place, source) => {
      // Hooks read it from JSON, which has no word for other numbers.
      if (typeof given !== 'string' && !Number.isFinite(given))
        throw new SettingFault(unknownChoice(given, ['path', 'URL']));
      return databaseFrom(source === 'file' ? place.root : place.cwd, String(given));
    },
    { flag: 'db' },
  ),
  projectKey: text(),
  runId: text({ flag: 'runId', inFile: false }),
  /** What an agent is told to start where nothing else is said. */
  process: word(defaultProcess),
  hook: { fail: choice(['auto', 'open', 'closed'], 'auto') },
  /** `own`: the main checkout's run does not bind a worktree. No variable says it: an agent could. */
  gate: { worktrees: choice(['shared', 'own'], 'shared', { env: null }) },
});

/** What belongs to no module. */
export const ownSettings = defineSettings({
  toolNames: choice(['dotted', 'underscore', 'auto'], 'auto'),
  toolsets: setting<readonly Toolset[]>(toolsets, readToolsets, { flag: 'toolsets' }),
  role: text({ flag: 'role', inFile: false }),
  /** The token that this process was started with. */
  token: text({ inFile: false }),
  http: {
    host: word('127.0.0.1', { flag: 'host' }),
    port: count(9696, { flag: 'port', from: 0, to: 65_535 }),
    /** Where a proxy of one's own speaks TLS for the daemon. */
    publicUrl: setting<string | undefined>(undefined, readPublicUrl),
  },
  /** Another variable than the mark that tells a program that it is inside. */
  sandbox: setting<SandboxSetting>({ mode: 'auto', allow: [] }, readSandbox, { env: 'SEKISHO_SANDBOX_MODE' }),
  logLevel: setting(2, readLevel, { env: 'LOG_LEVEL', inFile: false }),
});

/** `auto`, or `{ mode: auto, allow: [ssh-agent] }`. */
function readSandbox(given: unknown): SandboxSetting {
  const { mode = 'auto', allow = [], ...rest } = isJsonObject(given) ? given : { mode: given };
  const known = sandboxModes.find((one) => one === mode);
  if (known === undefined) throw new SettingFault(unknownChoice(mode, sandboxModes));
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    throw new SettingFault({
      en: `it has no key "${unknown}"; there are mode, allow`,
      ja: `キー「${unknown}」はありません。使えるのは mode と allow です`,
    });
  const names = Array.isArray(allow) ? allow.map(String) : [];
  const odd = names.find((one) => !allowedNames.includes(one) && !isAllowedPath(one));
  if (!Array.isArray(allow) || odd !== undefined)
    throw new SettingFault({
      en: `allow takes ${allowedNames.join(', ')} and paths that begin with / or ~/${odd === undefined ? '' : `, not "${odd}"`}`,
      ja: `allow に指定できるのは ${allowedNames.join(', ')} と、/ または ~/ で始まるパスです${odd === undefined ? '' : ` (「${odd}」は使えません)`}`,
    });
  return { mode: known, allow: names };
}

/** Without a path: below one it would share storage and cookies with whatever else stands there. */
function readPublicUrl(given: unknown): string {
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol === 'https:' && url.href === `${url.origin}/`) return url.origin;
  throw new SettingFault({
    en: `"${String(given)}" is not an https address without a path, such as https://sekisho.example.com`,
    ja: `「${String(given)}」は、パスのない https の URL (https://sekisho.example.com など) ではありません`,
  });
}

function readLang(given: unknown): Lang {
  if (given === 'en' || given === 'ja') return given;
  throw new SettingFault(unknownChoice(given, ['en', 'ja']));
}

function readToolsets(given: unknown): readonly Toolset[] {
  if (given === 'all') return toolsets;
  const words = (Array.isArray(given) ? given : String(given).split(',')).map((one) => String(one).trim());
  const unknown = words.filter((one) => !isToolset(one));
  if (unknown.length > 0)
    throw new SettingFault({
      en: `unknown toolset ${unknown.join(', ')}; there are ${toolsets.join(', ')}`,
      ja: `ツールセット ${unknown.join(', ')} はありません (使えるもの: ${toolsets.join(', ')})`,
    });
  return words.filter(isToolset);
}

const levels = ['error', 'warn', 'info', 'debug'];

/** A name or its number. */
function readLevel(given: unknown): number {
  const named = levels.indexOf(String(given).toLowerCase());
  if (named >= 0) return named;
  if (/^[0-3]$/.test(String(given))) return Number(given);
  throw new SettingFault({
    en: `"${String(given)}" is none of ${levels.join(', ')}, nor 0 to 3`,
    ja: `「${String(given)}」は使えません (使えるもの: ${levels.join(', ')}、または 0 から 3)`,
  });
}

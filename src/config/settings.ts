import { choice, count, defineSettings, SettingFault, unknownChoice, setting, text, word } from '../kernel/setting.ts';
import { resolve as resolveIn } from 'node:path';
import { type SandboxSetting, sandboxModes } from '../sandbox/port.ts';
import { isJsonObject } from '../base/json-object.ts';
import { allowedNames, isAllowedPath } from '../sandbox/allowed.ts';
import type { Lang } from '../kernel/text/text.ts';
import { type Toolset, isToolset, toolsets, unknownToolsets } from '../kernel/toolset.ts';

/** The default process, which fits most work. */
export const defaultProcess = 'explore-plan-implement-verify';

/** A database's location: a URL as it is, a path resolved from a folder. */
export function databaseFrom(folder: string, named: string): string {
  return /^[a-z]+:\/\//.test(named) ? named : resolveIn(folder, named);
}

/** The settings that hooks obey, as servers and the command line do. */
export const hookSettings = defineSettings({
  /** Undefined: the locale's language. */
  lang: setting<Lang | undefined>(undefined, (given) => readLang(given), { flag: 'lang' }),
  /** A path or a URL. */
  db: setting<string | undefined>(
    undefined,
    (given, place, source) => {
      // Hooks read it from JSON, which cannot represent NaN and Infinity.
      if (typeof given !== 'string' && !Number.isFinite(given))
        throw new SettingFault(unknownChoice(given, ['path', 'URL']));
      return databaseFrom(source === 'file' ? place.root : place.cwd, String(given));
    },
    { flag: 'db' },
  ),
  projectKey: text(),
  runId: text({ flag: 'runId', inFile: false }),
  /** The default process of agents. */
  process: word(defaultProcess),
  hook: { fail: choice(['auto', 'open', 'closed'], 'auto') },
  /** `own`: the main checkout's run does not bind worktrees. There is no variable for it, since an agent could set it. */
  gate: { worktrees: choice(['shared', 'own'], 'shared', { env: null }) },
});

/** The settings that belong to no module. */
export const ownSettings = defineSettings({
  toolNames: choice(['dotted', 'underscore', 'auto'], 'auto'),
  toolsets: setting<readonly Toolset[]>(toolsets, readToolsets, { flag: 'toolsets' }),
  /** The requested role; undefined: decided by the connection. */
  role: text({ flag: 'role', inFile: false }),
  token: text({ inFile: false }),
  http: {
    host: word('127.0.0.1', { flag: 'host' }),
    port: count(9696, { flag: 'port', from: 0, to: 65_535 }),
    /** The URL of a proxy that terminates TLS for the daemon. */
    publicUrl: setting<string | undefined>(undefined, readPublicUrl),
  },
  /** Its variable is not `SEKISHO_SANDBOX`, which marks programs in a sandbox. */
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

/** Reads an https origin. A path is refused: the dashboard would share storage and cookies with other pages of that origin. */
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
  const unknown = unknownToolsets(words);
  if (unknown !== undefined) throw new SettingFault(unknown);
  return words.filter(isToolset);
}

const levels = ['error', 'warn', 'info', 'debug'];

function readLevel(given: unknown): number {
  const named = levels.indexOf(String(given).toLowerCase());
  if (named >= 0) return named;
  if (/^[0-3]$/.test(String(given))) return Number(given);
  throw new SettingFault({
    en: `"${String(given)}" is not one of ${levels.join(', ')} or 0 to 3`,
    ja: `「${String(given)}」は使えません (使えるもの: ${levels.join(', ')}、または 0 から 3)`,
  });
}

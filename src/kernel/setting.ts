import { resolve } from 'node:path';
import { problem } from './problem.ts';
import type { z } from 'zod';
import { type Lang, type Reason, type Words, inLang, combineWords, wordsOf } from './text/text.ts';

/** The folders that paths in settings are resolved from. */
export interface SettingPlace {
  /** The project's root, for paths in its configuration file. */
  readonly root: string;
  /** The project's `.sekisho/`. */
  readonly home: string;
  /** The working directory, for paths in flags and variables. */
  readonly cwd: string;
}

export type SettingSource = 'file' | 'environment' | 'flag';

/** One value: its default, its variable, and how it is read from a file or a variable. */
export interface Setting<T> {
  readonly kind: 'setting';
  fallback(place: SettingPlace): T;
  /** The environment variable; undefined: `SEKISHO_` and its keys; null: none. */
  readonly env: string | null | undefined;
  /** The command-line flag, without dashes. It overrides the file and the variable. */
  readonly flag: string | undefined;
  /** False if it cannot be set in a file: it concerns this process, not the project. */
  readonly inFile: boolean;
  /** The treatment of `${env:NAME}` in the file if NAME is not set. */
  readonly unset: Unset;
  read(given: unknown, place: SettingPlace, source: SettingSource): T | Promise<T>;
}

/** `as written`: no reference is ever filled in. The module looks the secret up by its name, so that no setting contains it. */
type Unset = 'refused' | 'left out' | 'as written';

export interface SettingTree {
  readonly [key: string]: Setting<unknown> | SettingTree;
}

export type SettingValues<S> = S extends Setting<infer T> ? T : { readonly [K in keyof S]: SettingValues<S[K]> };

/** A module's part of the configuration, in the shape that it has in the file. */
export interface Settings<S extends SettingTree = SettingTree> {
  readonly tree: S;
  /** `settings.of(context).fleet.maxConcurrent` */
  of(context: { readonly settings: Configured }): SettingValues<S>;
}

/** The values that were read, by their settings. */
export type Configured = ReadonlyMap<object, unknown>;

export function defineSettings<const S extends SettingTree>(tree: S): Settings<S> {
  const settings: Settings<S> = { tree, of: (context) => context.settings.get(settings) as SettingValues<S> };
  return settings;
}

interface SettingOptions {
  readonly env?: string | null;
  readonly flag?: string;
  readonly inFile?: boolean;
  readonly unset?: Unset;
}

/** A setting with its own reader. `read` throws a `SettingFault` for an invalid value. */
export function setting<T>(fallback: T, read: Setting<T>['read'], options: SettingOptions = {}): Setting<T> {
  return {
    kind: 'setting',
    fallback: () => fallback,
    env: options.env,
    flag: options.flag,
    inFile: options.inFile ?? true,
    unset: options.unset ?? 'refused',
    read,
  };
}

/** The longest delay of a Node timer. A longer one would fire at once. */
export const longestTimerMs = 2_147_483_647;

export function count(fallback: number, options?: SettingOptions & { readonly from?: number; readonly to?: number }) {
  const { from = 1, to = Number.MAX_SAFE_INTEGER } = options ?? {};
  const range: Words =
    from === 1 && to === Number.MAX_SAFE_INTEGER
      ? { en: 'a positive whole number', ja: '正の整数' }
      : { en: `a whole number from ${from} to ${to}`, ja: `${from} から ${to} までの整数` };
  return setting(
    fallback,
    (given) => {
      const number = typeof given === 'string' && given.trim() === '' ? Number.NaN : Number(given);
      if (typeof given !== 'boolean' && Number.isInteger(number) && number >= from && number <= to) return number;
      throw isNot(given, range);
    },
    options,
  );
}

export function choice<const T extends string>(words: readonly T[], fallback: NoInfer<T>, options?: SettingOptions) {
  return setting<T>(
    fallback,
    (given) => {
      const found = words.find((one) => one === given);
      if (found === undefined) throw new SettingFault(unknownChoice(given, words));
      return found;
    },
    options,
  );
}

export function flag(fallback: boolean, options?: SettingOptions) {
  return setting(
    fallback,
    (given) => {
      if (given === true || given === 'true' || given === '1') return true;
      if (given === false || given === 'false' || given === '0') return false;
      throw new SettingFault({
        en: `"${String(given)}" is neither true nor false`,
        ja: `「${String(given)}」は true でも false でもありません`,
      });
    },
    options,
  );
}

export function text(options?: SettingOptions & { readonly pattern?: RegExp; readonly what?: Words }) {
  return setting<string | undefined>(undefined, (given) => readText(given, options), options);
}

/** A text with a default. */
export function word(
  fallback: string,
  options?: SettingOptions & { readonly pattern?: RegExp; readonly what?: Words },
) {
  return setting<string>(fallback, (given) => readText(given, options), options);
}

const someText: Words = { en: 'text', ja: '文字列' };

function readText(
  given: unknown,
  { pattern = /./s, what = someText }: { pattern?: RegExp; what?: Words } = {},
): string {
  if (typeof given === 'string' && pattern.test(given)) return given;
  throw isNot(given, what);
}

/** The path of a file or folder. */
export function path(options?: SettingOptions) {
  return setting<string | undefined>(
    undefined,
    (given, place, source) =>
      resolveSettingPath(readText(given, { what: { en: 'a path', ja: 'パス' } }), place, source),
    options,
  );
}

/** Several paths; in a variable, separated by colons. */
export function paths(fallback: (place: SettingPlace) => readonly string[], options?: SettingOptions) {
  const read: Setting<readonly string[]>['read'] = (given, place, source) => {
    const list: unknown = typeof given === 'string' ? given.split(':').filter((one) => one !== '') : given;
    if (!Array.isArray(list) || list.some((one) => typeof one !== 'string'))
      throw new SettingFault({ en: 'it is not a list of paths', ja: 'パスの一覧ではありません' });
    return (list as readonly string[]).map((one) => resolveSettingPath(one, place, source));
  };
  return { ...setting<readonly string[]>([], read, options), fallback };
}

export function resolveSettingPath(given: string, place: SettingPlace, source: SettingSource): string {
  return resolve(source === 'file' ? place.root : place.cwd, given);
}

export interface Schema<T> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: T }
    | { readonly success: false; readonly error: { readonly issues: readonly z.core.$ZodIssue[] } };
}

/** A structured value. Its schema is loaded only if the file sets it. */
export function structure<T>(
  fallback: T,
  load: () => Promise<Schema<T>>,
  options?: Pick<SettingOptions, 'unset'>,
): Setting<T> {
  return setting(
    fallback,
    async (given) => {
      const parsed = (await load()).safeParse(given);
      if (parsed.success) return parsed.data;
      const { issueIn } = await import('./text/issue.ts');
      const { issues } = parsed.error;
      const placed = (one: z.core.$ZodIssue, lang: Lang) =>
        `${one.path.length === 0 ? '' : `${one.path.join('.')}: `}${issueIn(lang, one, given)}`;
      throw new SettingFault(wordsOf((lang) => issues.map((one) => placed(one, lang)).join('; ')));
    },
    { ...options, env: null },
  );
}

export interface GivenSettings {
  /** The parsed YAML, or {}. */
  readonly file: object;
  /** The file's name in error messages. */
  readonly fileName: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly place: SettingPlace;
}

/** Reads settings: defaults < file < environment < flags. All faults are reported together. */
export async function readSettings(all: readonly Settings[], given: GivenSettings): Promise<Configured> {
  const values = new Map<object, unknown>();
  const faults: Blame[] = [];
  for (const one of all) values.set(one, await readTree(one.tree, given.file, [], given, faults));
  const [first] = faults;
  if (first === undefined) return values;
  // One place at a time: a file and a variable are fixed in different places.
  const reasons = faults.filter(({ where }) => where === first.where).map(({ reason }) => reason);
  throw problem.BAD_CONFIGURATION({ file: first.where, reason: combineWords((say) => reasons.map(say).join('; ')) });
}

/** A value that cannot be used, and the file, variable or flag that it comes from. */
interface Blame {
  readonly where: string;
  readonly reason: Words;
}

async function readTree(
  tree: SettingTree,
  file: unknown,
  at: readonly string[],
  given: GivenSettings,
  faults: Blame[],
): Promise<object> {
  const isList = typeof file === 'object' && file !== null && !Array.isArray(file);
  if (file !== undefined && !isList)
    faults.push({ where: given.fileName, reason: combineWords((say) => `${at.join('.')}: ${say(noKeys)}`) });
  const values: Record<string, unknown> = {};
  for (const [key, one] of Object.entries(tree)) {
    const inFile = isList ? ((file as Readonly<Record<string, unknown>>)[key] ?? undefined) : undefined;
    values[key] = isSetting(one)
      ? await readOne(one, inFile, [...at, key], given, faults)
      : await readTree(one, inFile, [...at, key], given, faults);
  }
  return values;
}

async function readOne(
  one: Setting<unknown>,
  inFile: unknown,
  at: readonly string[],
  given: GivenSettings,
  faults: Blame[],
): Promise<unknown> {
  const name = one.env === undefined ? variableOf(at) : one.env;
  const candidates = [
    { value: one.flag === undefined ? undefined : given.flags[one.flag], where: `--${one.flag}`, source: 'flag' },
    { value: name === null ? undefined : given.env[name] || undefined, where: name ?? '', source: 'environment' },
    { value: inFile, where: given.fileName, source: 'file' },
  ] as const;
  const said = candidates.find(({ value }) => value !== undefined);
  // An invalid value in the file is an error even if something else overrides it.
  let where = given.fileName;
  try {
    const written = fillVariables(inFile, one, given.env);
    where = said?.where ?? where;
    const value = said?.source === 'file' ? written : said?.value;
    if (said === undefined || value === undefined) return one.fallback(given.place);
    return await one.read(value, given.place, said.source);
  } catch (error) {
    if (!(error instanceof SettingFault)) throw error;
    const prefix = where === given.fileName ? `${at.join('.')}: ` : '';
    faults.push({ where, reason: combineWords((say) => prefix + say(error.said)) });
    return one.fallback(given.place);
  }
}

const reference = /\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** A value of the file with `${env:NAME}` filled in. */
function fillVariables(value: unknown, one: Setting<unknown>, env: GivenSettings['env']): unknown {
  if (one.unset === 'as written') return value;
  if (typeof value === 'string') {
    const unset = [...value.matchAll(reference)].find(([, name]) => env[name ?? ''] === undefined)?.[1];
    if (unset === undefined) return value.replaceAll(reference, (_whole, name: string) => env[name] ?? '');
    if (one.unset === 'left out') return undefined;
    throw new SettingFault({
      en: `the environment variable ${unset} is not set`,
      ja: `環境変数 ${unset} が設定されていません`,
    });
  }
  if (Array.isArray(value)) return value.map((each: unknown) => fillVariables(each, one, env));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fillVariables(each, one, env)]));
  return value;
}

/** `fleet.maxConcurrent` is SEKISHO_FLEET_MAX_CONCURRENT. */
export function variableOf(at: readonly string[]): string {
  return `SEKISHO_${at.map((key) => key.replaceAll(/[A-Z]/g, '_$&').toUpperCase()).join('_')}`;
}

/** A key of the file that is no module's setting: a typo. Only callers that know every module can ask. */
export function unknownKey(trees: readonly SettingTree[], file: object, at = ''): string | undefined {
  for (const [key, value] of Object.entries(file)) {
    const known = trees.flatMap((tree) => tree[key] ?? []);
    if (!known.some((one) => !isSetting(one) || one.inFile)) return `${at}${key}`;
    const inner = known.filter((one): one is SettingTree => !isSetting(one));
    const deeper =
      inner.length > 0 && typeof value === 'object' && value !== null
        ? unknownKey(inner, value as object, `${at}${key}.`)
        : undefined;
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}

export interface NamedSetting {
  readonly key: string;
  readonly env: string | null;
  readonly inFile: boolean;
}

/** Every key with its variable, for the reference and its test. */
export function keysOf(tree: SettingTree, at: readonly string[] = []): readonly NamedSetting[] {
  return Object.entries(tree).flatMap(([key, one]) =>
    isSetting(one)
      ? [
          {
            key: [...at, key].join('.'),
            env: one.env === undefined ? variableOf([...at, key]) : one.env,
            inFile: one.inFile,
          },
        ]
      : keysOf(one, [...at, key]),
  );
}

/** An invalid value of a setting, in words that follow the setting's name. */
export class SettingFault extends Error {
  constructor(readonly said: Reason) {
    super(inLang(said, 'en'));
  }
}

/** The fault of a value that should have keys. */
export const noKeys: Words = { en: 'it is not a list of keys', ja: 'キーの一覧ではありません' };

export function unknownChoice(given: unknown, known: readonly string[]): Words {
  const [wrong, right] = [String(given), known.join(', ')];
  return { en: `"${wrong}" is not one of ${right}`, ja: `「${wrong}」は使えません (使えるもの: ${right})` };
}

function isNot(given: unknown, what: Words): SettingFault {
  return new SettingFault({
    en: `"${String(given)}" is not ${what.en}`,
    ja: `「${String(given)}」は使えません。${what.ja}を指定してください`,
  });
}

function isSetting(one: Setting<unknown> | SettingTree): one is Setting<unknown> {
  return one['kind'] === 'setting';
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseConfig } from '../../config/file.ts';
import { excludedFromGit } from '../../config/exclude.ts';
import { defaultProcess } from '../../config/settings.ts';
import { changeSetting } from '../../config/file.ts';
import { type Change, type Draft, openDraft } from '../../setup/draft.ts';
import { type InstalledClient, describeInstalled, partsOf, putParts } from '../../setup/install.ts';
import { instructions } from '../../setup/instructions.ts';
import type { Calling } from '../../setup/invocation.ts';
import { formerParts } from '../../setup/inspect-setup.ts';
import type { Part } from '../../setup/setup-part.ts';
import { type SetupRecord, withdrawParts } from '../../setup/setup-record.ts';
import { unifiedDiff } from '../../base/difference.ts';
import type { Lang, Words } from '../../kernel/text/text.ts';
import type { Wishes } from './choice.ts';
import { findTreeSetup } from './tree-setup.ts';
import { words } from '../words.ts';

const heading: Words = words('# Sekisho. Everything is optional; docs/configuration.md has every key.');

const template = (lang: Lang) => `${heading[lang]}
# lang: ${lang}
# processes: [.sekisho/processes]
# http: { host: 127.0.0.1, port: 9696 }
# hook: { fail: auto }
`;

/** The new content of every file, computed before any is written: if one cannot be changed, none is. */
export interface InitPlan {
  readonly draft: Draft;
  readonly parts: readonly Part[];
  /** The record of earlier setups, without the parts that are withdrawn. */
  readonly record: SetupRecord;
  /** The folders that we had made for the withdrawn parts. */
  readonly folders: readonly string[];
  readonly configuration: { readonly path: string; readonly before: string | undefined; readonly text: string };
  readonly installed: readonly InstalledClient[];
  /** The instruction files that are new or changed. */
  readonly instructed: readonly string[];
  /** The folder for process definitions, where a new project has none. */
  readonly processes: readonly string[];
}

export interface Planning {
  readonly home: string;
  /** The configuration that a person trusted last, where its file is gone. */
  readonly removed: string | undefined;
  readonly record: SetupRecord;
  readonly calling: Calling;
  readonly wishes: Wishes;
  /** Whether the repository has a commit, so that agents can have trees of their own. */
  readonly hasCommit: boolean;
  readonly trustFolder: boolean;
  readonly lang: Lang;
}

export function planSetup(planning: Planning): InitPlan {
  const { home, removed, record: known, calling, wishes, trustFolder, lang } = planning;
  const draft = openDraft();
  const parts: Part[] = [];
  const put = (some: readonly Part[]) => {
    parts.push(...some);
    return putParts(draft, some);
  };
  const path = join(home, 'config.yaml');
  const before = draft.read(path)?.toString();
  const text = configurationText(path, before ?? removed ?? template(lang), planning);
  put([{ client: 'init', path, begun: text }]);
  const { tree, scope } = calling;
  const former = wishes.clients.flatMap((client) => formerParts(client, calling));
  const { record, folders } = withdrawParts(known, tree, former, draft);
  // One after the other, because clients share files.
  const installed = wishes.clients.map((client) => {
    const own = partsOf(client, calling, trustFolder);
    return describeInstalled(client, own, put(own), former);
  });
  const { process: configured } = parseConfigured(path, text);
  const process = wishes.process ?? (typeof configured === 'string' ? configured : defaultProcess);
  const instructed = put(instructions(tree, wishes.clients, process, lang));
  const paths = installed.flatMap((one) => [...one.written, ...one.unchanged]);
  const excluded = scope === 'own' ? excludedFromGit(tree, paths) : undefined;
  if (excluded !== undefined) put([{ client: 'init', ...excluded }]);
  const processes = [join(home, 'processes')].filter((folder) => before === undefined && !existsSync(folder));
  return { draft, parts, record, folders, configuration: { path, before, text }, installed, instructed, processes };
}

export function parseConfigured(path: string, text: string | undefined): Readonly<Record<string, unknown>> {
  return text === undefined ? {} : { ...parseConfig(path, text) };
}

function configurationText(path: string, before: string, { wishes, hasCommit, calling }: Planning): string {
  const { toolsets, process, test } = wishes;
  const configured = parseConfigured(path, before);
  // Several agents in one folder fail each other's guards, so each gets a tree of its own.
  const apart = hasCommit && toolsets?.some((one) => one === 'fleet' || one === 'work') === true;
  const settings = {
    toolsets,
    process,
    test: test.words,
    ...(apart && configured['fleet'] === undefined && { fleet: { isolation: 'worktree' } }),
    ...(apart && configured['worktree'] === undefined && { worktree: findTreeSetup(calling.tree) }),
  };
  return Object.entries(settings).reduce(
    (text, [key, value]) => (value === undefined ? text : changeSetting(path, text, key, value)),
    before,
  );
}

/** The changes as unified diffs, for people. */
export function renderChanges(changes: readonly Change[]): string {
  return changes.map((change) => differenceOf(change)).join('\n');
}

export function differenceOf({ path, before, after }: Change): string {
  const names = [before === undefined ? '/dev/null' : path, after === undefined ? '/dev/null' : path] as const;
  return unifiedDiff(before?.toString() ?? '', after?.toString() ?? '', names);
}

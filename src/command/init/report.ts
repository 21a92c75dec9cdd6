import { join, relative } from 'node:path';
import { isBelow } from '../../base/path.ts';
import { type InstalledClient, everyClient } from '../../setup/install.ts';
import { setupPhrase } from '../../setup/setup-text.ts';
import type { Calling } from '../../setup/invocation.ts';
import type { Lang } from '../../kernel/text/text.ts';
import { style } from '../../surface/terminal/style.ts';
import type { Wishes } from './choice.ts';
import type { InitPlan } from './plan.ts';
import { tellTest } from './test-command.ts';

/** The result of `init`. */
interface Done {
  readonly root: string;
  readonly home: string;
  readonly store: string;
  /** The folder was not registered before. */
  readonly isNew: boolean;
  readonly shim: string;
  readonly plan: InitPlan;
  readonly wishes: Wishes;
  readonly wrote: {
    readonly made: readonly string[];
    readonly trusted: boolean;
    readonly lost: string | undefined;
    /** The key of the user database, where it is not admitted to the store. */
    readonly unadmitted: string | undefined;
  };
  readonly trustFolder: boolean;
  /** Clients whose own files record that a person trusts the hooks. */
  readonly trusted: readonly string[];
}

export function reportForPrograms({ root, home, store, isNew, shim, plan, wishes, wrote }: Done): string {
  const { words, kept, found } = wishes.test;
  return `${JSON.stringify({
    root,
    home,
    store,
    registered: isNew,
    shim,
    made: [...wrote.made, ...plan.instructed],
    ...(wrote.lost !== undefined && { lost_database: wrote.lost }),
    ...(wrote.unadmitted !== undefined && { not_admitted: wrote.unadmitted }),
    files: plan.draft.changes().map((one) => one.path),
    clients: plan.installed,
    test: {
      command: words ?? kept ?? null,
      trusted: wrote.trusted,
      found: found.map((one) => ({ command: one.words, because: one.because })),
    },
  })}\n`;
}

/** The list of files that `init` is about to write; undefined where there are none. */
export function planForPeople(
  { draft }: InitPlan,
  { tree, env }: Calling,
  folder: string,
  lang: Lang,
): string | undefined {
  const changes = draft.changes();
  if (changes.length === 0) return undefined;
  const files = changes.map(({ path, before, after }) => {
    const what = before === undefined ? 'created' : after === undefined ? 'deleted' : 'changed';
    return `  ${setupPhrase[what]()(lang)}  ${shortPath(path, tree, env['HOME'])}`;
  });
  const own = setupPhrase.ownData({ folder: shortPath(folder, tree, env['HOME']) });
  return [setupPhrase.plan()(lang), ...files, own(lang)].join('\n');
}

/** A path relative to the project, or to the home folder with `~`. */
function shortPath(path: string, tree: string, home: string | undefined): string {
  if (isBelow(path, tree)) return relative(tree, path);
  return home !== undefined && isBelow(path, home) ? join('~', relative(home, path)) : path;
}

export function reportForPeople(done: Done, next: string, lang: Lang): string {
  const { root, home, isNew, plan, wishes, wrote } = done;
  const { lost, made, unadmitted } = wrote;
  const { toolsets, process } = wishes;
  const lines = [
    setupPhrase.prepared({ home: style.cyan(home), isNew: made.length + plan.instructed.length > 0 }),
    setupPhrase.registered({ root: style.cyan(root), isNew }),
    ...(toolsets === undefined ? [] : [setupPhrase.toolsets({ toolsets })]),
    ...(process === undefined ? [] : [setupPhrase.process({ process })]),
    tellTest(wishes.test, wrote.trusted),
    ...(lost === undefined ? [] : [setupPhrase.databaseLost({ db: lost })]),
    ...(unadmitted === undefined ? [] : [setupPhrase.unadmitted({ key: unadmitted })]),
  ];
  const clients = plan.installed.map((one) => clientReport(one, done, lang));
  return `${lines.map((line) => `${line(lang)}\n`).join('')}${clients.join('')}\n${next}`;
}

function clientReport(
  { client, written }: InstalledClient,
  { trustFolder, trusted }: Pick<Done, 'trustFolder' | 'trusted'>,
  lang: Lang,
): string {
  const { trust, untrusted } = everyClient.find((one) => one.id === client) ?? {};
  const hints = [
    setupPhrase.client({ isNew: written.length > 0 })(lang),
    ...(trusted.includes(client)
      ? [setupPhrase.hooksTrusted({ client })(lang)]
      : trust === undefined
        ? []
        : [trust[lang]]),
    ...(untrusted === undefined || trustFolder ? [] : [untrusted[lang]]),
  ];
  return `\n${style.bold(client)}\n${hints.map((hint) => `  ${hint}\n`).join('')}`;
}

import type { InstalledClient } from '../hook/install.ts';
import { everyClient } from '../hook/install.ts';
import { setupPhrase } from '../hook/setup-text.ts';
import type { Lang } from '../kernel/text.ts';
import { style } from '../surface/terminal/style.ts';
import type { Wishes } from './init-choice.ts';
import type { Plan } from './init-plan.ts';
import { tellTest } from './init-test.ts';

/** What `init` did. */
interface Done {
  readonly root: string;
  readonly home: string;
  readonly store: string;
  /** The folder was not registered before. */
  readonly anew: boolean;
  readonly shim: string;
  readonly plan: Plan;
  readonly wishes: Wishes;
  readonly wrote: {
    readonly made: readonly string[];
    readonly trusted: boolean;
    readonly lost: string | undefined;
    /** The key of the user database, where its people do not count in the store yet. */
    readonly unadmitted: string | undefined;
  };
  readonly trustFolder: boolean;
  /** Clients that a plugin leads to us. */
  readonly plugged: readonly string[];
  /** Clients whose own files record that a person trusts the hooks. */
  readonly trusted: readonly string[];
}

export function reportForPrograms({ root, home, store, anew, shim, plan, wishes, wrote }: Done): string {
  const { words, kept, found } = wishes.test;
  return `${JSON.stringify({
    root,
    home,
    store,
    registered: anew,
    shim,
    made: [...wrote.made, ...plan.instructed],
    ...(wrote.lost !== undefined && { lost_database: wrote.lost }),
    ...(wrote.unadmitted !== undefined && { not_admitted: wrote.unadmitted }),
    clients: plan.installed,
    test: {
      command: words ?? kept ?? null,
      trusted: wrote.trusted,
      found: found.map((one) => ({ command: one.words, because: one.because })),
    },
  })}\n`;
}

export function reportForPeople(done: Done, lang: Lang): string {
  const { root, home, anew, plan, wishes, wrote, plugged } = done;
  const { lost, made, unadmitted } = wrote;
  const { toolsets, process } = wishes;
  const lines = [
    setupPhrase.prepared({ home: style.cyan(home), anew: made.length + plan.instructed.length > 0 }),
    setupPhrase.registered({ root: style.cyan(root), anew }),
    ...(toolsets === undefined ? [] : [setupPhrase.toolsets({ toolsets })]),
    ...(process === undefined ? [] : [setupPhrase.process({ process })]),
    tellTest(wishes.test, wrote.trusted),
    ...(lost === undefined ? [] : [setupPhrase.databaseLost({ db: lost })]),
    ...(unadmitted === undefined ? [] : [setupPhrase.unadmitted({ key: unadmitted })]),
  ];
  const clients = plan.installed.map((one) => clientReport(one, done, lang));
  const led = new Set([...plan.installed.map((one) => one.client), ...plugged]);
  const next = setupPhrase.next({ clients: [...led] })(lang);
  return `${lines.map((line) => `${line(lang)}\n`).join('')}${clients.join('')}\n${next}\n`;
}

function clientReport(
  { client, written, unchanged, withdrawn }: InstalledClient,
  { trustFolder, trusted }: Pick<Done, 'trustFolder' | 'trusted'>,
  lang: Lang,
): string {
  const { trust, untrusted } = everyClient.find((one) => one.id === client) ?? {};
  const hints = [
    ...(trusted.includes(client)
      ? [setupPhrase.hooksTrusted({ client })(lang)]
      : trust === undefined
        ? []
        : [trust[lang]]),
    ...(untrusted === undefined || trustFolder ? [] : [untrusted[lang]]),
  ];
  const lines = [
    ...written.map((path) => `  ${style.green(setupPhrase.written()(lang))}  ${path}`),
    ...unchanged.map((path) => `  ${style.dim(setupPhrase.unchanged()(lang))}  ${path}`),
    ...withdrawn.map((path) => `  ${style.green(setupPhrase.taken()(lang))}  ${path}`),
    ...hints.map((hint) => `  ${hint}`),
  ];
  return `\n${style.bold(client)}\n${lines.join('\n')}\n`;
}

import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isBelow } from '../base/path.ts';
import { readHookKeys } from '../config/hook-keys.ts';
import type { Config } from '../config/load.ts';
import { realPath } from '../config/locate.ts';
import { listOwn } from '../gate/definition/catalogue.ts';
import { readBoundRuns } from '../gate/run/bound-run.ts';
import { treeHolders } from '../gate/run/holder.ts';
import { findDeniedChanges } from '../gate/worktree/denied-changes.ts';
import { findUnaskedState, readReceipts } from '../gate/evidence/receipts.ts';
import { repositoryOf } from '../config/worktree.ts';
import { findHookedAgent } from '../fleet/agents.ts';
import { findHooksOff } from '../fleet/host/hook-required.ts';
import type { Client } from './client.ts';
import { clients, isInstalled } from './install.ts';
import type { Calling } from './invocation.ts';
import { type ClientEntries, findHookTrust, inspectClient, isFolderTrusted } from './inspect-setup.ts';
import { clientsPreparedAnywhere } from './prepared-clients.ts';
import type { Context } from '../kernel/context.ts';
import { databaseName } from '../base/database-name.ts';
import type { Environment } from '../base/environment.ts';
import { messageOf } from '../base/failure.ts';
import { type Problem, isProblem } from '../kernel/problem.ts';
import type { Store } from '../kernel/store/store.ts';
import type { Lang, Sentence } from '../kernel/text/text.ts';
import { type FileTrust, configurationFile } from '../kernel/trust.ts';
import { version } from '../base/version.ts';
import { runProgram } from '../machine/run-program.ts';
import { probeOutside } from '../sandbox/probe.ts';
import { examineAddress } from './http-entry.ts';
import { copyInUse, ownName, shimOf } from './own-copy.ts';
import { examineProgram, isClone, ownFolder } from './program-record.ts';
import { ringPhrase } from './rings-text.ts';
import { sandboxPlace } from '../sandbox/project-place.ts';
import { sandboxPhrase, whyUnavailable } from '../sandbox/sandbox-text.ts';
import { findStoreReach, reachText } from '../sandbox/store-reach.ts';
import { trustFaults } from '../app/user/trust-files.ts';
import { userHeadFaults } from '../app/user/user-head.ts';

export interface Ring {
  readonly name: 'project' | 'store' | 'program' | 'hooks' | 'server' | 'trust' | 'receipts' | 'sandbox';
  /** Undefined for a ring of the whole project. `trust` is then about its files, otherwise about the client's trust in the folder. */
  readonly client?: string;
  /** `off`: not enabled. `broken`: enabled but not working. `unknown`: cannot be determined here. */
  readonly state: 'on' | 'off' | 'broken' | 'unknown';
  readonly found: Sentence;
  readonly remedy?: string;
}

export type FoundStore = { readonly store: Store; readonly context: Context } | { readonly trouble: Problem };

/** Opens the store, or returns the problem. Any other error is a bug and is thrown. */
export async function findStore(app: {
  store(): Promise<Store>;
  context(call: { readonly as: 'system' }): Promise<Context>;
}): Promise<FoundStore> {
  try {
    return { store: await app.store(), context: await app.context({ as: 'system' }) };
  } catch (error) {
    if (isProblem(error)) return { trouble: error };
    throw error;
  }
}

/** Checks each ring for this project and each client. The results are not cached. */
export async function examineRings(config: Config, found: FoundStore): Promise<readonly Ring[]> {
  const calling = callingOf(config);
  const prepared = findPrepared(config);
  // Without a prepared client no receipts are expected.
  const receipts = prepared.length === 0 ? { run: undefined, here: [] } : await receiptsOf(config, found);
  const each = await Promise.all(
    prepared.map(async ({ client, hook, server, noted }) => [
      await hookRing(config, client, hook),
      await serverRing(config, client, server, noted),
      ...trustRing(client, isFolderTrusted(client, calling), receipts),
      ...receiptRing(client, receipts),
    ]),
  );
  return [
    projectRing(config),
    storeRing(found),
    await programRing(config, prepared.length > 0),
    await fileTrustRing(config, found),
    ...each.flat(),
    await sandboxRing(config, prepared),
  ];
}

export function examineHooks(config: Config): Promise<readonly Ring[]> {
  return Promise.all(findPrepared(config).map(({ client, hook }) => hookRing(config, client, hook)));
}

/** The data that a client's setup in this project is made from. */
export function callingOf({ place, environment }: Config): Omit<Calling, 'scope'> {
  return { shim: shimOf(place.data), tree: place.tree, repository: repositoryOf(place.tree), env: environment };
}

/** The clients that were prepared for this project, or that ask here because of another project's setup. */
function findPrepared(config: Config) {
  const all = clientsPreparedAnywhere(config.place.state);
  const calling = callingOf(config);
  return clients
    .map((client) => ({ client, noted: all.includes(client.id), ...inspectClient(client, calling) }))
    .filter(({ noted, hook }) => noted || hook !== undefined);
}

/** The ring of the store. Without a store no run can be read: hooks refuse every tool. */
function storeRing(found: FoundStore): Ring {
  if ('store' in found) return { name: 'store', state: 'on', found: () => found.store.location };
  const { trouble } = found;
  const remedy = trouble.code === 'STORE_REMOVED' ? 'sekisho init' : '--db, SEKISHO_DB';
  return { name: 'store', state: 'broken', found: (lang) => trouble.in(lang), remedy };
}

function projectRing({ place }: Config): Ring {
  const { root, tree, home, registered } = place;
  if (!registered)
    return { name: 'project', state: 'off', found: ringPhrase.unregistered({ root }), remedy: 'sekisho init' };
  const gone = !existsSync(home);
  const found = ringPhrase.project({ root, tree: tree === root ? undefined : tree, gone });
  if (!gone) return { name: 'project', state: 'on', found };
  return { name: 'project', state: 'broken', found, remedy: 'git checkout -- .sekisho, or sekisho init' };
}

/** The ring of the program: compares this program, and the copy that hooks and servers start, with the records of `init`. */
async function programRing(config: Config, needed: boolean): Promise<Ring> {
  const { data } = config.place;
  const inUse = copyInUse(data);
  const shim = shimOf(data);
  const { records, faults, updates } = await examineProgram(config);
  const own = ownFolder();
  const recordOf = (folder: string) => records.find((one) => realPath(one.folder) === realPath(folder));
  const note = recordOf(own) === undefined ? ringPhrase.notPinned({ folder: own, clone: isClone(own) }) : undefined;
  const withNote = (found: Sentence): Sentence =>
    note === undefined ? found : (lang) => [found(lang), note(lang)].join(lang === 'ja' ? '。' : '. ');
  const base = { name: 'program', remedy: 'sekisho init' } as const;
  if (faults.length > 0) {
    const paths = faults.map(({ key }) => String(key[0]));
    // A damaged package cannot repair the copy, so it is reinstalled first.
    const isOwn = paths.some((one) => isBelow(one, own));
    const remedy = isOwn ? 'npm install -g sekisho, then sekisho init' : base.remedy;
    return { ...base, state: 'broken', found: withNote(ringPhrase.otherProgram({ paths })), remedy };
  }
  if (inUse === undefined)
    return { ...base, state: needed ? 'broken' : 'off', found: withNote(ringPhrase.noProgram({ shim })) };
  const copy = recordOf(join(data.app, inUse));
  if (copy === undefined) return { ...base, state: 'unknown', found: withNote(ringPhrase.unrecorded({ inUse })) };
  const [update] = updates;
  if (update !== undefined)
    return { ...base, state: 'unknown', found: (lang) => `${update.key[0]}: ${update.detail[lang]}` };
  if (inUse !== ownName())
    return { ...base, state: 'on', found: withNote(ringPhrase.olderProgram({ inUse, own: ownName() })) };
  const files = Object.keys(copy.files).length;
  return { name: 'program', state: 'on', found: withNote(ringPhrase.program({ shim, version: inUse, files })) };
}

/** The ring of trust in the project's files. Only the versions that a person last reviewed take effect. */
async function fileTrustRing(config: Config, store: FoundStore): Promise<Ring> {
  const { place, file } = config;
  const broken = (found: Sentence, remedy = 'sekisho trust'): Ring => ({
    name: 'trust',
    state: 'broken',
    found,
    remedy,
  });
  const [lost] = 'store' in store ? await userHeadFaults(config, store.store) : [];
  if (lost !== undefined) return broken(ringPhrase.otherUser({ path: String(lost.key[0]) }), 'sekisho init');
  const forged = existsSync(place.data.userDatabase)
    ? (await trustFaults(config)).filter(({ key: [project] }) => project === place.key)
    : [];
  if (forged.length > 0) return broken(ringPhrase.forged({ files: forged.map(({ key }) => String(key[1])) }));
  if (readHookKeys(place) === undefined) return broken(ringPhrase.uncompiled());
  const own = (await listOwn(config)).map(({ path, trust }) => ({ file: relative(place.root, path), trust }));
  const all = [{ file: configurationFile, trust: config.project.configuration }, ...own];
  const named = (...kinds: readonly FileTrust[]) =>
    all.filter(({ trust }) => kinds.includes(trust)).map((one) => one.file);
  const changed = named('changed', 'removed');
  const unseen = named('never');
  const count = file === undefined ? own.length : all.length;
  if (changed.length === 0 && unseen.length === 0)
    return { name: 'trust', state: 'on', found: ringPhrase.files({ count }) };
  // A new definition may be work in progress. A configuration without effect would surprise its author, so it is broken.
  const isOff = changed.length === 0 && !unseen.includes(configurationFile);
  const ring = broken(ringPhrase.unseen({ changed, unseen }));
  return isOff ? { ...ring, state: 'off' } : ring;
}

function initFor(client: Client, tree: string): string {
  return `sekisho init '${tree}' --client ${client.id}`;
}

const patienceMs = 10_000;

/** The smallest environment in which a client may start us, with the system's PATH only. */
function clientEnvironment({ environment, project }: Config, client: Client): Environment {
  const variable = findHookedAgent(client.id)?.hook.projectFolder;
  const { HOME, XDG_DATA_HOME, LANG, SEKISHO_DB, SEKISHO_PROJECT_KEY } = environment;
  return {
    PATH: '/usr/bin:/bin',
    HOME,
    XDG_DATA_HOME,
    LANG,
    SEKISHO_DB,
    SEKISHO_PROJECT_KEY,
    ...(variable !== undefined && { [variable]: project.tree }),
  };
}

/** The project that a hook finds. Older copies of the program do not report the key. */
type HookProbe = Parameters<typeof ringPhrase.hookElsewhere>[0];

/** The ring of hooks: runs the client's command, and checks that the client would run it. Some skip hooks that no person trusted. */
async function hookRing(config: Config, client: Client, command: string | undefined): Promise<Ring> {
  const { tree, root } = config.project;
  const base = { name: 'hooks', client: client.id, remedy: initFor(client, tree) } as const;
  if (command === undefined)
    return { ...base, state: 'broken', found: ringPhrase.noHook({ client: client.id, worktree: tree !== root }) };
  const off = findHooksOff(findHookedAgent(client.id) ?? {}, tree, config.environment);
  if (off !== undefined)
    return { name: 'hooks', client: client.id, state: 'broken', found: ringPhrase.hooksOff({ file: off }) };
  let out = '';
  let errors = '';
  const end = await runProgram(['/bin/sh', '-c', `${command} --probe`], {
    cwd: tree,
    env: clientEnvironment(config, client),
    timeoutMs: patienceMs,
    onOutput: (chunk, stream) => {
      if (stream === 'stdout') out += chunk.toString('utf8');
      else errors += chunk.toString('utf8');
    },
  });
  const probe = end.exitCode === 0 ? readProbe(out) : undefined;
  if (probe === undefined) {
    const reason = errors.trim().split('\n')[0] ?? '';
    return { ...base, state: 'broken', found: ringPhrase.hookFails({ command, code: end.exitCode ?? null, reason }) };
  }
  if (probe.root !== root || probe.db !== databaseName(config.db) || probe.projectKey !== config.project.key)
    return { ...base, state: 'broken', found: ringPhrase.hookElsewhere(probe) };
  const trust = findHookTrust(client, callingOf(config));
  if (trust !== undefined && trust !== 'trusted') {
    const remedy = trust === 'folder' ? `${base.remedy} --trust-folder` : client.id;
    return { ...base, state: 'broken', found: ringPhrase.hookSkipped({ client: client.id, trust }), remedy };
  }
  const found = ringPhrase.hook({ command: command.split(' hook ')[0] ?? '', trusted: trust !== undefined });
  return { name: 'hooks', client: client.id, state: 'on', found };
}

function readProbe(text: string): HookProbe | undefined {
  try {
    return JSON.parse(text) as HookProbe;
  } catch {
    return undefined; // Another program answered.
  }
}

/** The ring of the server: starts it as the client would. A missing server is broken only if the client was prepared here. */
async function serverRing(config: Config, client: Client, led: ClientEntries['server'], noted: boolean): Promise<Ring> {
  const { tree } = config.project;
  if (led !== undefined && 'url' in led)
    return { name: 'server', client: client.id, ...(await examineAddress(config, led)) };
  const base = { name: 'server', client: client.id, remedy: initFor(client, tree) } as const;
  const [program, ...args] = led?.line ?? [];
  if (program === undefined)
    return { ...base, state: noted ? 'broken' : 'off', found: ringPhrase.noServer({ client: client.id }) };
  try {
    // The SDK's client is expensive to load, and most commands do not need it.
    const { connectMcp } = await import('../surface/mcp/client.ts');
    const env = { ...clientEnvironment(config, client), LOG_LEVEL: 'error' };
    const server = await connectMcp('sekisho-status', version, { command: [program, ...args], cwd: tree, env });
    await server.close();
    return { name: 'server', client: client.id, state: 'on', found: ringPhrase.server({ program }) };
  } catch (error) {
    const line = [program, ...args].join(' ');
    return { ...base, state: 'broken', found: ringPhrase.serverFails({ line, reason: messageOf(error) }) };
  }
}

interface Receipts {
  readonly run: { readonly id: string; readonly state: string } | undefined;
  readonly here: readonly string[];
  /** The sign that a client works without asking. */
  readonly silent?: Sentence | undefined;
}

async function receiptsOf(config: Config, found: FoundStore): Promise<Receipts> {
  if ('trouble' in found) return { run: undefined, here: [] };
  const { store, context } = found;
  const [run] = await readBoundRuns(store, config.project, treeHolders(config.project));
  if (run === undefined) return { run: undefined, here: [] };
  const here = (await readReceipts(store, run)).map((one) => one.client);
  if (here.length > 0) return { run, here };
  const edited = await findDeniedChanges(context, run);
  if (edited.length > 0) return { run, here, silent: ringPhrase.editedUnasked({ state: run.state, paths: edited }) };
  const state = await findUnaskedState(store, run);
  return { run, here, silent: state === undefined ? undefined : ringPhrase.submittedUnasked({ state }) };
}

/** A client's own trust in the folder, unless it needs none or records it per hook: the hooks' ring checks that. */
function trustRing(client: Client, trusts: boolean | undefined, { here }: Receipts): readonly Ring[] {
  const { id, trust, untrusted } = client;
  if (client.hookTrust !== undefined || (trust === undefined && untrusted === undefined)) return [];
  const base = { name: 'trust', client: id } as const;
  if (here.includes(id)) return [{ ...base, state: 'on', found: ringPhrase.asks({ client: id }) }];
  if (trusts === true && trust === undefined) return [{ ...base, state: 'on', found: ringPhrase.trusted() }];
  const open = trusts === false ? untrusted : undefined;
  return [
    {
      ...base,
      state: 'unknown',
      found: (lang) => [trust?.[lang], open?.[lang]].filter((one) => one !== undefined).join(' '),
      ...(trusts === false && { remedy: `sekisho init --client ${id} --trust-folder` }),
    },
  ];
}

/** The ring of receipts. No receipts alone prove nothing: the session may not have started, or may have ended. */
function receiptRing(client: Client, { run, here, silent }: Receipts): readonly Ring[] {
  if (run === undefined) return [];
  const base = { name: 'receipts', client: client.id } as const;
  if (silent !== undefined) return [{ ...base, state: 'broken', found: silent, remedy: 'sekisho journal list' }];
  const count = here.filter((one) => one === client.id).length;
  return [{ ...base, state: count > 0 ? 'on' : 'unknown', found: ringPhrase.receipts({ count, state: run.state }) }];
}

async function sandboxRing(config: Config, prepared: readonly { readonly client: Client }[]): Promise<Ring> {
  const options = { cwd: config.project.tree, session: undefined, started: undefined, allow: [] };
  const probe = await probeOutside(sandboxPlace(config.place, config.environment, options), config.environment);
  // Agents that must run in a sandbox cannot start then.
  const without = config.sandbox.mode === 'required' ? 'broken' : 'off';
  if ('reason' in probe) return { name: 'sandbox', state: without, found: (lang) => whyUnavailable(probe, lang) };
  const { kind } = probe;
  const reach = findStoreReach(config, config.environment);
  if (reach !== undefined) {
    const found = (lang: Lang) => sandboxPhrase.ringOff({ kind, reason: reachText(reach, lang) })(lang);
    return { name: 'sandbox', state: 'off', found };
  }
  const remedy = `sekisho run ${runnable(config, prepared)}`;
  return { name: 'sandbox', state: 'off', found: ringPhrase.sandbox({ kind }), remedy };
}

/** The names of the clients that a person would start: the prepared ones, else the installed ones. */
function runnable(config: Config, prepared: readonly { readonly client: Client }[]): string {
  const calling = { ...callingOf(config), scope: 'own' } as const;
  const found =
    prepared.length > 0 ? prepared.map((one) => one.client) : clients.filter((one) => isInstalled(one, calling));
  return found.length === 0 ? '<client>' : found.map((one) => one.id).join('|');
}

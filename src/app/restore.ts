import { renameSync, rmSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { isDatabaseFile, noteDatabase } from '../config/database.ts';
import type { Config } from '../config/load.ts';
import type { Actor } from '../kernel/context.ts';
import { databaseName } from '../base/database-name.ts';
import { entry } from '../kernel/store/journal.ts';
import { problem } from '../kernel/problem.ts';
import type { RestoreCircumstances } from '../kernel/store/restoring.ts';
import type { Store, Write } from '../kernel/store/store.ts';
import { forgetTokensWrite } from '../kernel/token.ts';
import { modules } from '../modules.ts';
import { backUpInto, openSnapshot } from '../store/backup.ts';
import { type CheckedBackup, checkBackup } from '../store/backup-check.ts';
import { openStore } from '../store/open.ts';
import { openFoundStore } from '../store/open-found.ts';
import { type Comparison, compareWith, emptyHead, refuseOthers, refuseUnfit, replaceStore } from '../store/restore.ts';
import { isUnmade } from '../store/schema.ts';
import { admissionAfterRestore, ownUserKey, readAdmission, notAdmittedProblem } from './user/admitted.ts';
import { backupsOf } from './open-store.ts';
import { tables } from './tables.ts';

/** The plan of a restore, which a person confirms. */
export interface RestorePlan {
  readonly backup: CheckedBackup;
  /** The comparison with the present store; undefined if there is none. */
  readonly present: Comparison | undefined;
  /** The person who restores, with their user database. */
  readonly person: Actor & { readonly userDatabase: string };
  /** The user databases that are admitted now; empty without a present store. */
  readonly admitted: readonly string[];
}

export interface RestoreResult {
  readonly epoch: number;
  /** The number of the entry `store.restored`, which is the newest. */
  readonly seq: number;
  /** The backup of the replaced store; undefined if that was empty. */
  readonly undo: string | undefined;
}

/** Reads the whole backup and compares it with the store. Changes nothing. */
export async function planRestore(config: Config, file: string, actor: Actor): Promise<RestorePlan> {
  const backup = await checkBackup(file, tables);
  refuseUnfit(backup, tables);
  const store = await openPresent(config);
  try {
    if (store === undefined) {
      const person = { ...actor, userDatabase: actor.userDatabase ?? (await ownUserKey(config)) };
      return { backup, present: undefined, person, admitted: [] };
    }
    await refuseOthers(store);
    const terminal = config.terminal && config.token === undefined;
    const admission = await readAdmission(config, store, actor, { terminal });
    if (!admission.counts) throw notAdmittedProblem(admission);
    const { key: userDatabase, admitted } = admission;
    return { backup, present: await compareWith(store, tables, backup), person: { ...actor, userDatabase }, admitted };
  } finally {
    await store?.close();
  }
}

/** Carries out the plan completely, or changes nothing. */
export async function carryOutRestore(config: Config, plan: RestorePlan): Promise<RestoreResult> {
  const { backup, present, person, admitted } = plan;
  const { head, made_at, schema } = backup.header;
  const replaces = present?.head ?? emptyHead;
  const epoch = Math.max(replaces.epoch, head.epoch) + 1;
  const undo = await saveWhatIsReplaced(config, plan);
  const { at, writes } = await prepareWrites(config);
  const data = {
    epoch,
    backup: { seq: head.seq, link: head.link, schema, made_at, file: basename(backup.file) },
    replaced: present === undefined ? null : { seq: replaces.seq, link: replaces.link },
    ...admissionAfterRestore(admitted),
  };
  const author = { actor: person, project: config.project, now: () => new Date(at) };
  const journal = [entry(author, 'store', 'store.restored', data)] as const;
  const done = await withNewStore(config, present === undefined, (location) =>
    replaceStore(location, tables, backup, { replaces, epoch, writes, journal }),
  );
  if (!done) throw problem.STORE_BUSY({ what: databaseName(config.db) });
  noteDatabase(config.place.state, config.db);
  return { epoch, seq: head.seq + 1, undo };
}

/** The modules' writes on top of the backup. The present rows show what was revoked since the backup. */
async function prepareWrites(config: Config): Promise<{ readonly at: string; readonly writes: readonly Write[] }> {
  const store = await openPresent(config);
  try {
    if (store !== undefined) await refuseOthers(store);
    const at = (store?.now() ?? new Date()).toISOString();
    const restoring: RestoreCircumstances = { at, present: store, say: (sentence) => sentence(config.lang) };
    const each = await Promise.all(modules.map(async (one) => (await one.restored?.(restoring)) ?? []));
    return { at, writes: [forgetTokensWrite(), ...each.flat()] };
  } finally {
    await store?.close();
  }
}

/** Opens the present store; undefined if there is none. A new one is created only after a person agreed. */
async function openPresent({ db, place }: Config): Promise<Store | undefined> {
  try {
    await (await openFoundStore(db)).close();
  } catch (error) {
    if (isUnmade(error)) return undefined;
    // `openStore` below reports or repairs any other fault.
  }
  return openStore(db, { tables, backups: backupsOf(place) });
}

/** Backs up the present store, so that the restore can be undone. */
async function saveWhatIsReplaced({ db, place }: Config, { present }: RestorePlan): Promise<string | undefined> {
  if (present === undefined || present.head.seq === 0) return undefined;
  const snapshot = await openSnapshot(db, tables);
  try {
    return await backUpInto(backupsOf(place), snapshot, tables);
  } finally {
    await snapshot.close();
  }
}

/** Fills the store. A new file gets its name when it is complete: an empty database would allow agents everything. */
async function withNewStore(
  { db }: Config,
  isNew: boolean,
  fill: (location: string) => Promise<boolean>,
): Promise<boolean> {
  if (!isNew) return fill(db);
  const draft = isDatabaseFile(db) ? `${db}.restoring` : db;
  const discard = (path: string) => ['', '-wal', '-shm'].forEach((end) => rmSync(`${path}${end}`, { force: true }));
  if (draft !== db) discard(draft);
  await (await openStore(draft, { tables })).close();
  const done = await fill(draft);
  if (draft === db) return done;
  if ((statSync(`${draft}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) throw new Error(`${draft} is in use`);
  // SQLite would apply the WAL of a removed database to the new one.
  if (done) discard(db);
  if (done) renameSync(draft, db);
  discard(draft);
  return done;
}

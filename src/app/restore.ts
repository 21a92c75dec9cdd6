import { renameSync, rmSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { isDatabaseFile, noteDatabase } from '../config/database.ts';
import type { Config } from '../config/load.ts';
import type { Actor } from '../kernel/context.ts';
import { databaseName } from '../base/database-name.ts';
import { entry } from '../kernel/store/journal.ts';
import { problem } from '../kernel/problem.ts';
import type { Restoring } from '../kernel/store/restoring.ts';
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

/** What a restore would do, as it is shown to the person who decides. */
export interface RestorePlan {
  readonly backup: CheckedBackup;
  /** Undefined where there is no store yet, or no longer. */
  readonly present: Comparison | undefined;
  /** Who restores, with their user database. */
  readonly person: Actor & { readonly userDatabase: string };
  /** The user databases whose people count now; empty where there is nothing to go by. */
  readonly admitted: readonly string[];
}

export interface Restored {
  readonly epoch: number;
  /** The newest entry, which says that the store was restored. */
  readonly seq: number;
  /** A backup of the store that was replaced; undefined where there was nothing in it. */
  readonly undo: string | undefined;
}

/** Reads the whole file, then compares it with the store. Changes nothing. */
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
    const standing = await readAdmission(config, store, actor, {
      terminal: config.terminal && config.token === undefined,
    });
    if (!standing.counts) throw notAdmittedProblem(standing);
    const { key: userDatabase, admitted } = standing;
    return { backup, present: await compareWith(store, tables, backup), person: { ...actor, userDatabase }, admitted };
  } finally {
    await store?.close();
  }
}

/** Does what the plan says, or nothing. */
export async function carryOutRestore(config: Config, plan: RestorePlan): Promise<Restored> {
  const { backup, present, person, admitted } = plan;
  const { head, made_at, schema } = backup.header;
  const replaces = present?.head ?? emptyHead;
  const epoch = Math.max(replaces.epoch, head.epoch) + 1;
  const undo = await saveWhatIsReplaced(config, plan);
  const { at, writes } = await prepareWrites(config);
  const said = {
    epoch,
    backup: { seq: head.seq, link: head.link, schema, made_at, file: basename(backup.file) },
    replaced: present === undefined ? null : { seq: replaces.seq, link: replaces.link },
    ...admissionAfterRestore(admitted),
  };
  const author = { actor: person, project: config.project, now: () => new Date(at) };
  const journal = [entry(author, 'store', 'store.restored', said)] as const;
  const done = await withNewStore(config, present === undefined, (location) =>
    replaceStore(location, tables, backup, { replaces, epoch, writes, journal }),
  );
  if (!done) throw problem.STORE_BUSY({ what: databaseName(config.db) });
  noteDatabase(config.place.state, config.db);
  return { epoch, seq: head.seq + 1, undo };
}

/** What modules write on top of the backup. Their present rows say what was revoked since. */
async function prepareWrites(config: Config): Promise<{ readonly at: string; readonly writes: readonly Write[] }> {
  const store = await openPresent(config);
  try {
    if (store !== undefined) await refuseOthers(store);
    const at = (store?.now() ?? new Date()).toISOString();
    const restoring: Restoring = { at, present: store, say: (sentence) => sentence(config.lang) };
    const each = await Promise.all(modules.map(async (one) => (await one.restored?.(restoring)) ?? []));
    return { at, writes: [forgetTokensWrite(), ...each.flat()] };
  } finally {
    await store?.close();
  }
}

/** Undefined where nothing was made yet: it is made only when somebody has agreed. */
async function openPresent({ db, place }: Config): Promise<Store | undefined> {
  try {
    await (await openFoundStore(db)).close();
  } catch (error) {
    if (isUnmade(error)) return undefined;
    // Whatever else is wrong is said by the next one, or repaired.
  }
  return openStore(db, { tables, backups: backupsOf(place) });
}

/** So that a restore can be undone by another one. */
async function saveWhatIsReplaced({ db, place }: Config, { present }: RestorePlan): Promise<string | undefined> {
  if (present === undefined || present.head.seq === 0) return undefined;
  const snapshot = await openSnapshot(db, tables);
  try {
    return await backUpInto(backupsOf(place), snapshot, tables);
  } finally {
    await snapshot.close();
  }
}

/**
 * A file that is not there yet is filled under another name. A process that is killed in between leaves none, rather than an empty one
 * that would let every agent through.
 */
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
  // The log of a database that was removed would be applied to this one.
  if (done) discard(db);
  if (done) renameSync(draft, db);
  discard(draft);
  return done;
}

import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AppearedRepository, repositoriesAppeared } from '../../sandbox/port.ts';
import type { Row } from '../../kernel/store/store.ts';
import { parsed, text } from '../../kernel/store/row.ts';
import { settleRepositories } from '../../sandbox/repositories.ts';
import { entryFor } from '../agent-rows.ts';
import { findAgentCli } from '../agents.ts';
import type { FleetContext } from '../fleet-context.ts';
import { type Snapshot, changesSince, mergeFiles } from './snapshot.ts';
import { isLogFile, readLog } from './log-file.ts';
import { agentFolder } from './prepare.ts';
import type { Spec } from './spec.ts';
import { type Tally, addFacts, emptyTally, summaryOf } from './stream-tally.ts';

/** Facts that another process needs to clean up after a dead host. The file is deleted when the host ends normally. */
export interface Leftovers {
  readonly cwd: string;
  readonly before: Snapshot | undefined;
  /** Files that do not count as the agent's work. */
  readonly ignored: readonly string[];
  /** The session's folder outside the agent's folder. */
  readonly session: string | undefined;
}

export const remainsFile = 'remains.json';

export function writeLeftovers(folder: string, remains: Leftovers): void {
  const before = remains.before && { ...remains.before, files: [...remains.before.files] };
  writeFileSync(join(folder, remainsFile), JSON.stringify({ ...remains, before }), { mode: 0o600 });
}

function readLeftovers(folder: string): Leftovers | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, remainsFile), 'utf8'), (key, value: unknown) =>
      key === 'files' ? new Map(value as [string, { isNew: boolean; look: string }][]) : value,
    ) as Leftovers;
  } catch {
    return undefined; // The host died before it wrote the file, or another process has cleaned up.
  }
}

function placeOf(row: Row): { readonly spec: Spec | null; readonly folder: string } {
  const spec = parsed(row, 'spec') as Spec | null;
  return { spec, folder: agentFolder(spec?.place.state ?? '', text(row, 'id')) };
}

/** Reconstructs the work of a dead host's agent from its log and the changes in its tree. */
export async function reconstructWork(
  context: FleetContext,
  row: Row,
): Promise<{
  readonly summary: string;
  readonly editedFiles: readonly string[];
  readonly createdFiles: readonly string[];
}> {
  const { folder } = placeOf(row);
  const remains = readLeftovers(folder);
  const tally = tallyOf(folder, text(row, 'cli'));
  if (remains === undefined) return { summary: summaryOf(tally), editedFiles: [], createdFiles: [] };
  const { before, cwd, ignored } = remains;
  const seen = before === undefined ? undefined : await changesSince(context.environment, before);
  const { edited, created } = mergeFiles(cwd, tally, seen, ignored);
  return { summary: summaryOf(tally), editedFiles: edited, createdFiles: created };
}

function tallyOf(folder: string, cli: string): Tally {
  const reader = findAgentCli(cli).reader();
  const { lines } = readLog(folder, { from: 0, limit: Infinity, whole: true, weight: Infinity });
  return lines.reduce((tally, line) => addFacts(tally, reader.read(line)), emptyTally);
}

/**
 * Removes what a dead host left: tokens, its session's folder. The log stays. Several processes may do this at once, so
 * the facts they need are deleted last.
 */
export async function removeLeftovers(context: FleetContext, row: Row): Promise<void> {
  const { spec, folder } = placeOf(row);
  clearFolder(folder, [remainsFile]);
  const remains = readLeftovers(folder);
  if (remains?.session !== undefined) rmSync(remains.session, { recursive: true, force: true });
  if (spec !== null)
    await settleRepositories(spec.place.state, {
      env: context.environment,
      report: (found, by) => reportRepositories(context, row, found, by),
    });
}

/** Journals repositories that appeared in a tree. An error is only logged: recording the agent's end matters more. */
export async function reportRepositories(
  context: FleetContext,
  row: Row,
  found: readonly AppearedRepository[],
  by: string,
): Promise<void> {
  try {
    await context.store.commit([], [entryFor(context, row, by, repositoriesAppeared, { found })]);
  } catch (error) {
    context.log.warn(repositoriesAppeared, { by, found, reason: String(error) });
  }
}

/** Deletes the facts about a dead host's leftovers, once the row says that nothing is left. */
export function forgetLeftovers(row: Row): void {
  clearFolder(placeOf(row).folder);
}

/** Deletes everything in an agent's folder except the log and `kept`. */
export function clearFolder(folder: string, kept: readonly string[] = []): void {
  let names: readonly string[] = [];
  try {
    names = readdirSync(folder);
  } catch {
    // The agent has no folder.
  }
  for (const name of names)
    if (!isLogFile(name) && !kept.includes(name)) rmSync(join(folder, name), { recursive: true, force: true });
}

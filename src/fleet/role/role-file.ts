import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Document, isMap, isSeq, parseDocument } from 'yaml';
import type { Project } from '../../kernel/context.ts';
import { problem as kernelProblem } from '../../kernel/problem.ts';
import { configurationFile } from '../../kernel/trust.ts';
import { problem } from '../problem.ts';
import type { RoleEntry } from './roles.ts';

/** The configuration file as it is now, trusted or not. */
export interface RoleFile {
  readonly roles: readonly RoleEntry[];
  /** The digest of the whole file. A writer passes the digest that it saw. */
  readonly digest: string;
  readonly document: Document;
}

export function readRoleFile({ home }: Pick<Project, 'home'>): RoleFile {
  const path = join(home, 'config.yaml');
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const document = parseDocument(text);
  const [fault] = document.errors;
  if (fault !== undefined) throw kernelProblem.BAD_CONFIGURATION({ file: configurationFile, reason: fault.message });
  const roles = (document.toJS() as { roles?: readonly RoleEntry[] } | null)?.roles ?? [];
  return { roles, digest: createHash('sha256').update(text).digest('hex'), document };
}

export function writeRole(project: Pick<Project, 'home'>, role: RoleEntry, seen: string): void {
  rewrite(project, seen, (document) => putRole(document, role));
}

export function removeRole(project: Pick<Project, 'home'>, id: string, seen: string): void {
  rewrite(project, seen, (document) => {
    const list = document.get('roles');
    if (!isSeq(list)) return;
    list.items = list.items.filter((one) => !isRole(one, id));
    if (list.items.length === 0) document.delete('roles');
  });
}

/** Changes the file, keeping comments. The change takes effect once a person has trusted the file. */
function rewrite(project: Pick<Project, 'home'>, seen: string, change: (document: Document) => void): void {
  const { document, digest } = readRoleFile(project);
  if (digest !== seen) throw problem.ROLE_FILE_CHANGED();
  change(document);
  const named = join(project.home, 'config.yaml');
  // A symbolic link stays one: its target is written.
  const path = existsSync(named) ? realpathSync(named) : named;
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, document.toString({ lineWidth: 0 }));
  renameSync(draft, path);
}

/** Replaces the role in the list, or appends it. */
export function putRole(document: Document, role: RoleEntry): void {
  // A file with only comments has no map yet.
  if (!isMap(document.contents)) document.contents = document.createNode({});
  if (!isSeq(document.get('roles'))) document.set('roles', document.createNode([]));
  const list = document.get('roles');
  const items = isSeq(list) ? list.items : [];
  const before = items.findIndex((one) => isRole(one, role.id));
  const node = document.createNode(role);
  if (before >= 0) items[before] = node;
  else items.push(node);
}

export function hasRole(document: Document, id: string): boolean {
  const list = document.get('roles');
  return isSeq(list) && list.items.some((one) => isRole(one, id));
}

function isRole(node: unknown, id: string): boolean {
  return isMap(node) && node.get('id') === id;
}

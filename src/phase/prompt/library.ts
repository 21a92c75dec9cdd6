import type { Context } from '../../kernel/context.ts';
import { actorName, entry } from '../../kernel/journal.ts';
import { Problem } from '../../kernel/problem.ts';
import { again, retry } from '../../kernel/retry.ts';
import type { Row, Write } from '../../kernel/store.ts';
import { optional, text } from '../../kernel/row.ts';
import type { Prompt } from './prompt.ts';
import { digestOf } from './prompt.ts';
import { problem } from '../problem.ts';

/** The prompts of the store. A version never changes; a label points at one, and `latest` at the newest by itself. */
export interface Version extends Prompt {
  readonly note: string | undefined;
  readonly actor: string;
  readonly at: string;
}

export interface Listed {
  readonly name: string;
  readonly latest: number;
  readonly title: string | undefined;
  readonly labels: Readonly<Record<string, number>>;
}

const columns =
  'v.name as name, v.version as version, v.title as title, v.content as content, v.digest as digest, v.note as note, v.actor as actor, v.at as at';

export async function readPrompt(
  context: Context,
  name: string,
  which: { readonly label: string } | { readonly version: number },
): Promise<Version | undefined> {
  const project = context.project.key;
  const byVersion = 'version' in which;
  const [rows = []] = await context.store.read([
    byVersion || which.label === 'latest'
      ? {
          sql: `select ${columns} from prompt_version v where v.project = :project and v.name = :name
            ${byVersion ? 'and v.version = :version' : ''} order by v.version desc limit 1`,
          args: { project, name, ...(byVersion && { version: which.version }) },
        }
      : {
          sql: `select ${columns} from prompt_label l join prompt_version v on v.project = l.project and v.name = l.name and v.version = l.version
            where l.project = :project and l.name = :name and l.label = :label`,
          args: { project, name, label: which.label },
        },
  ]);
  return rows[0] === undefined ? undefined : toVersion(rows[0]);
}

/** Newest first. */
export async function readVersions(
  context: Context,
  name: string,
  before: number,
  limit: number,
): Promise<readonly Version[]> {
  const [rows = []] = await context.store.read([
    {
      sql: `select ${columns} from prompt_version v where v.project = :project and v.name = :name and v.version < :before
        order by v.version desc limit :limit`,
      args: { project: context.project.key, name, before, limit },
    },
  ]);
  return rows.map(toVersion);
}

export async function listPrompts(context: Context, after = '', limit = 10_000): Promise<readonly Listed[]> {
  const args = { project: context.project.key, after, limit };
  const [prompts = [], labels = []] = await context.store.read([
    {
      sql: `select v.name as name, v.version as version, v.title as title from prompt_version v
        where v.project = :project and v.name > :after
          and v.version = (select max(w.version) from prompt_version w where w.project = v.project and w.name = v.name)
        order by v.name limit :limit`,
      args,
    },
    {
      sql: 'select name, label, version from prompt_label where project = :project and name > :after order by name, label',
      args: { project: args.project, after },
    },
  ]);
  return prompts.map((row) => ({
    name: text(row, 'name'),
    latest: Number(row['version']),
    title: optional(row, 'title') ?? undefined,
    labels: Object.fromEntries([
      ...labels
        .filter((one) => one['name'] === row['name'])
        .map((one) => [text(one, 'label'), Number(one['version'])] as const),
      ['latest', Number(row['version'])],
    ]),
  }));
}

export interface Publication {
  readonly name: string;
  readonly content: string;
  readonly title: string | undefined;
  readonly note: string | undefined;
  /** Labels that shall point at the new version. */
  readonly labels: readonly string[];
  /** The newest version that the author knows of; another one is a conflict. */
  readonly expected: number | undefined;
}

/** A new version, and the labels moved to it, in one step. */
export async function publish(context: Context, wanted: Publication): Promise<Version> {
  const project = context.project.key;
  const { name, content, title, note } = wanted;
  return retry(
    async () => {
      const newest = (await readPrompt(context, name, { label: 'latest' }))?.version ?? 0;
      if (wanted.expected !== undefined && wanted.expected !== newest)
        throw problem.VERSION_CONFLICT(
          { prompt: name, expected: wanted.expected, current: newest },
          { current_version: newest },
        );
      const at = context.now().toISOString();
      const made: Version = {
        name,
        version: newest + 1,
        title,
        content,
        digest: digestOf(content),
        note,
        actor: actorName(context.actor),
        at,
      };
      const outcome = await context.store.commit(
        [
          {
            sql: `insert into prompt_version (project, name, version, title, content, digest, note, actor, at)
              values (:project, :name, :version, :title, :content, :digest, :note, :actor, :at)`,
            args: { project, ...made, title: title ?? null, note: note ?? null },
            rows: 1,
          },
          ...wanted.labels.map((label) => labelWrite(project, name, label, made.version, at)),
        ],
        [
          entry(context, `prompt:${name}`, 'prompt.published', {
            version: made.version,
            digest: made.digest,
            labels: wanted.labels,
          }),
        ],
      );
      return outcome.done ? made : again;
    },
    () => new Error(`others published ${name} each time`),
  );
}

/** Points a label at a version; without one, back at the version that it pointed at before. */
export async function moveLabel(
  context: Context,
  name: string,
  label: string,
  to: number | undefined,
): Promise<{ version: number; previous: number | undefined }> {
  const project = context.project.key;
  const [rows = []] = await context.store.read([
    {
      sql: 'select version, previous from prompt_label where project = :project and name = :name and label = :label',
      args: { project, name, label },
    },
  ]);
  const row = rows[0];
  const version = to ?? (row?.['previous'] == null ? undefined : Number(row['previous']));
  const target = version === undefined ? undefined : await readPrompt(context, name, { version });
  if (target === undefined) throw await noSuch(context, name, to === undefined ? label : `version ${to}`);
  await context.store.commit(
    [labelWrite(project, name, label, target.version, context.now().toISOString())],
    [entry(context, `prompt:${name}`, 'prompt.labelled', { label, version: target.version, digest: target.digest })],
  );
  return { version: target.version, previous: row === undefined ? undefined : Number(row['version']) };
}

/** The label points nowhere any more; readers by that label hear that the prompt is gone. */
export async function removeLabel(context: Context, name: string, label: string): Promise<void> {
  const outcome = await context.store.commit(
    [
      {
        sql: 'delete from prompt_label where project = :project and name = :name and label = :label',
        args: { project: context.project.key, name, label },
        rows: 1,
      },
    ],
    [entry(context, `prompt:${name}`, 'prompt.unlabelled', { label })],
  );
  if (!outcome.done) throw await noSuch(context, name, label);
}

async function noSuch(context: Context, name: string, label: string): Promise<Problem> {
  const all = await listPrompts(context);
  const known = Object.entries(all.find((one) => one.name === name)?.labels ?? {}).map(([key, at]) => `${key} (${at})`);
  return problem.LABEL_NOT_FOUND({ prompt: name, label, known }, { prompt: name, known_labels: known });
}

function labelWrite(project: string, name: string, label: string, version: number, at: string): Write {
  return {
    sql: `insert into prompt_label (project, name, label, version, previous, at) values (:project, :name, :label, :version, null, :at)
      on conflict (project, name, label) do update set previous = prompt_label.version, version = excluded.version, at = excluded.at`,
    args: { project, name, label, version, at },
    rows: 1,
  };
}

function toVersion(row: Row): Version {
  return {
    name: text(row, 'name'),
    version: Number(row['version']),
    title: optional(row, 'title') ?? undefined,
    content: text(row, 'content'),
    digest: text(row, 'digest'),
    note: optional(row, 'note') ?? undefined,
    actor: text(row, 'actor'),
    at: text(row, 'at'),
  };
}

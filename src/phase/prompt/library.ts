import type { Context } from '../../kernel/context.ts';
import { actorName, entry } from '../../kernel/store/journal.ts';
import { problem as kernelProblem } from '../../kernel/problem.ts';
import { again, retry } from '../../kernel/store/retry.ts';
import type { Row } from '../../kernel/store/store.ts';
import { optional, text, readRows } from '../../kernel/store/row.ts';
import { labelTo, trailQuery } from './label.ts';
import { type Prompt, digestOf, emptyPrompt } from './prompt.ts';
import { problem } from '../problem.ts';

/** A version of a prompt in the store. It never changes; labels point at versions, and `latest` is always the newest. */
export interface Version extends Prompt {
  readonly note: string | undefined;
  readonly actor: string;
  readonly at: string;
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

export async function readVersions(
  context: Context,
  name: string,
  before: number,
  limit: number,
): Promise<readonly Version[]> {
  const rows = await readRows(
    context.store,
    `select ${columns} from prompt_version v where v.project = :project and v.name = :name and v.version < :before
        order by v.version desc limit :limit`,
    { project: context.project.key, name, before, limit },
  );
  return rows.map(toVersion);
}

export async function listPrompts(context: Context, after = '', limit = 10_000) {
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
  readonly labels: readonly string[];
  /** The newest version that the author knows; any other newest version is a conflict. */
  readonly expected: number | undefined;
}

/** Publishes a new version and moves the labels to it in one commit. */
export async function publish(context: Context, wanted: Publication): Promise<Version> {
  const project = context.project.key;
  const { name, content, title, note } = wanted;
  if (content.trim() === '') throw emptyPrompt(context, name);
  return retry(
    async () => {
      const [versions = [], ...trails] = await context.store.read([
        {
          sql: 'select max(version) as version from prompt_version where project = :project and name = :name',
          args: { project, name },
        },
        ...wanted.labels.map((label) => trailQuery(context, name, label)),
      ]);
      const newest = Number(versions[0]?.['version'] ?? 0);
      if (wanted.expected !== undefined && wanted.expected !== newest)
        throw problem.VERSION_CONFLICT(
          { prompt: name, expected: wanted.expected, current: newest },
          { current_version: newest },
        );
      const at = context.now().toISOString();
      const [version, digest, actor] = [newest + 1, digestOf(content), actorName(context.actor)];
      const made: Version = { name, version, title, content, digest, note, actor, at };
      const outcome = await context.store.commit(
        [
          {
            sql: `insert into prompt_version (project, name, version, title, content, digest, note, actor, at)
              values (:project, :name, :version, :title, :content, :digest, :note, :actor, :at)`,
            args: { project, ...made, title: title ?? null, note: note ?? null },
            rows: 1,
          },
          ...wanted.labels.map((label, index) => labelTo(context, name, label, trails[index]?.[0], made.version)),
        ],
        [entry(context, `prompt:${name}`, 'prompt.published', { version, digest, labels: wanted.labels })],
      );
      return outcome.done ? made : again;
    },
    () => kernelProblem.STORE_BUSY({ what: name }),
    `prompt ${project} ${name}`,
  );
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

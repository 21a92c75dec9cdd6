import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import type { Row } from '../../kernel/store/store.ts';
import { optional, readRows } from '../../kernel/store/row.ts';
import type { Loaded, Prompt } from '../prompt/prompt.ts';

/** The cache entry of a prompt. `prompt` is undefined if it was never fetched or was evicted. */
export interface CacheRow {
  readonly prompt: Prompt | undefined;
  readonly etag: string | undefined;
  readonly fetchedAt: string;
  readonly checkedAt: string;
  readonly failure: string | undefined;
  readonly failedAt: string;
  /** Expiry of the claim of the process that is asking the source. */
  readonly until: string;
}

const nothing: CacheRow = {
  prompt: undefined,
  etag: undefined,
  fetchedAt: '',
  checkedAt: '',
  failure: undefined,
  failedAt: '',
  until: '',
};

export async function readCache(context: Context, source: string, name: string): Promise<CacheRow> {
  const [row] = await readRows(context.store, 'select * from prompt_cache where source = :source and name = :name', {
    source,
    name,
  });
  return row === undefined ? nothing : toCacheRow(name, row);
}

function toCacheRow(name: string, row: Row): CacheRow {
  const content = optional(row, 'content');
  return {
    prompt:
      content === null
        ? undefined
        : {
            name,
            version: Number(row['version']),
            title: optional(row, 'title') ?? undefined,
            content,
            digest: optional(row, 'digest') ?? '',
          },
    etag: optional(row, 'etag') ?? undefined,
    fetchedAt: optional(row, 'fetched_at') ?? '',
    checkedAt: optional(row, 'checked_at') ?? '',
    failure: optional(row, 'failure') ?? undefined,
    failedAt: optional(row, 'failed_at') ?? '',
    until: optional(row, 'until') ?? '',
  };
}

/** Claims the fetch of a prompt. Of all processes that read the same row, one succeeds. */
export async function claimFetch(
  context: Context,
  source: string,
  name: string,
  seen: CacheRow,
  owner: string,
  until: string,
): Promise<boolean> {
  const outcome = await context.store.commit(
    [
      {
        sql: `insert into prompt_cache (source, name, owner, until) values (:source, :name, :owner, :until)
          on conflict (source, name) do update set owner = excluded.owner, until = excluded.until
          where coalesce(prompt_cache.until, '') < :now and coalesce(prompt_cache.checked_at, '') = :checked
            and coalesce(prompt_cache.failed_at, '') = :failed`,
        args: {
          source,
          name,
          owner,
          until,
          now: context.now().toISOString(),
          checked: seen.checkedAt,
          failed: seen.failedAt,
        },
        rows: 1,
      },
    ],
    [entry(context, `prompt:${name}`, 'prompt.asked', { source })],
  );
  return outcome.done;
}

export type SourceAnswer =
  | { readonly kind: 'new'; readonly prompt: Prompt; readonly etag: string | undefined }
  | { readonly kind: 'same' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'down'; readonly reason: string };

const kinds = { new: 'prompt.fetched', same: 'prompt.confirmed', gone: 'prompt.evicted', down: 'prompt.unreachable' };

/** Stores the answer and releases the claim, unless the claim has expired and another process has it. Returns the time. */
export async function settleFetch(
  context: Context,
  source: string,
  name: string,
  owner: string,
  answer: SourceAnswer,
): Promise<string> {
  const at = context.now().toISOString();
  const [set, args] = changeOf(answer, at);
  await context.store.commit(
    [
      {
        sql: `update prompt_cache set ${set}, owner = null, until = null where source = :source and name = :name and owner = :owner`,
        args: { ...args, source, name, owner },
        rows: 1,
      },
    ],
    [
      entry(context, `prompt:${name}`, kinds[answer.kind], {
        source,
        ...(answer.kind === 'new' && { version: answer.prompt.version, digest: answer.prompt.digest }),
        ...(answer.kind === 'down' && { reason: answer.reason }),
      }),
    ],
  );
  return at;
}

function changeOf(answer: SourceAnswer, at: string): readonly [string, Record<string, string | null>] {
  switch (answer.kind) {
    case 'new': {
      const { version, title, content, digest } = answer.prompt;
      return [
        `version = :version, title = :title, content = :content, digest = :digest, etag = :etag, fetched_at = :at,
          checked_at = :at, failure = null, failed_at = null`,
        { version: String(version), title: title ?? null, content, digest, etag: answer.etag ?? null, at },
      ];
    }
    case 'same':
      return ['checked_at = :at, failure = null, failed_at = null', { at }];
    case 'gone':
      return [
        `version = null, title = null, content = null, digest = null, etag = null, fetched_at = null, checked_at = null,
          failure = 'gone', failed_at = :at`,
        { at },
      ];
    case 'down':
      return ['failure = :reason, failed_at = :at', { reason: answer.reason, at }];
  }
}

/** The last versions that this process loaded from folders, the store or the configuration, by source and name. */
const seen = new Map<string, { readonly digest: string; readonly version: number; readonly fetchedAt: string }>();

/** Records a prompt of a source that is read at every call. `cached` is true if any process has recorded the same version. */
export async function remember(context: Context, source: string, prompt: Prompt): Promise<Loaded> {
  const key = `${source}\n${prompt.name}`;
  const isSame = (one: { digest: string; version: number } | undefined) =>
    one?.digest === prompt.digest && one.version === prompt.version;
  const mine = seen.get(key);
  if (mine !== undefined && isSame(mine)) return { ...prompt, fetchedAt: mine.fetchedAt, cached: true };
  const row = await readCache(context, source, prompt.name);
  const cached = isSame(row.prompt);
  const fetchedAt = cached ? row.fetchedAt : context.now().toISOString();
  if (!cached) await keep(context, source, prompt, fetchedAt);
  seen.set(key, { digest: prompt.digest, version: prompt.version, fetchedAt });
  return { ...prompt, fetchedAt, cached };
}

async function keep(context: Context, source: string, prompt: Prompt, at: string): Promise<void> {
  await context.store.commit(
    [
      {
        sql: `insert into prompt_cache (source, name, version, title, content, digest, fetched_at, checked_at)
          values (:source, :name, :version, :title, :content, :digest, :at, :at)
          on conflict (source, name) do update set version = excluded.version, title = excluded.title, content = excluded.content,
            digest = excluded.digest, fetched_at = excluded.fetched_at, checked_at = excluded.checked_at`,
        args: {
          source,
          name: prompt.name,
          version: String(prompt.version),
          title: prompt.title ?? null,
          content: prompt.content,
          digest: prompt.digest,
          at,
        },
      },
    ],
    [entry(context, `prompt:${prompt.name}`, kinds.new, { source, version: prompt.version, digest: prompt.digest })],
  );
}

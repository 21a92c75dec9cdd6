import type { Context } from '../../kernel/context.ts';
import type { Resource } from '../../kernel/operation.ts';
import { decodeCursor, encodeCursor, invalidCursor } from '../../kernel/store/page.ts';

type Listed = Readonly<Record<string, unknown>>;

/** The least entries of a page that is not the last. A page may span several resource types, because some clients read only the first page. */
const enough = 100;

/** Lists all resources in pages. The cursor has the index of the resource type and the position in it. */
export async function listResources(
  resources: readonly Resource[],
  context: Context,
  cursor: string | undefined,
): Promise<{ resources: readonly Listed[]; nextCursor?: string }> {
  const given = /^(\d+)(?::(.+))?$/.exec(decodeCursor(cursor) ?? '0');
  if (given === null) throw invalidCursor();
  const listed: Listed[] = [];
  let from = given[2];
  for (let index = Number(given[1]); ;) {
    const resource = resources[index];
    if (resource === undefined) return { resources: listed };
    const page = await resource.list(context, from);
    // There is a next page only if it has entries.
    if (listed.length >= enough && page.entries.length > 0)
      return { resources: listed, nextCursor: encodeCursor(from === undefined ? `${index}` : `${index}:${from}`) };
    listed.push(...page.entries.map((entry) => ({ ...entry, mimeType: resource.mimeType })));
    from = page.nextCursor;
    if (from === undefined) index += 1;
  }
}

import type { Context } from '../../kernel/context.ts';
import type { Resource } from '../../kernel/operation.ts';
import { decodeCursor, encodeCursor } from '../../kernel/page.ts';

/** All resources in one paged list: the cursor says which resource is being listed and how far. */
export async function listResources(
  resources: readonly Resource[],
  context: Context,
  cursor: string | undefined,
): Promise<{ resources: readonly Readonly<Record<string, unknown>>[]; nextCursor?: string }> {
  const [at = '0', ...rest] = (decodeCursor(cursor) ?? '0').split(':');
  const index = Number(at);
  const resource = resources[index];
  if (resource === undefined) return { resources: [] };
  const page = await resource.list(context, rest.length === 0 ? undefined : rest.join(':'));
  const next =
    page.nextCursor !== undefined
      ? `${index}:${page.nextCursor}`
      : index + 1 < resources.length
        ? String(index + 1)
        : undefined;
  return {
    resources: page.entries.map((entry) => ({ ...entry, mimeType: resource.mimeType })),
    ...(next !== undefined && { nextCursor: encodeCursor(next) }),
  };
}

import type { Store } from '../kernel/store.ts';

export async function isTrusted(store: Store, digest: string): Promise<boolean> {
  const [rows = []] = await store.read([{ sql: 'select digest from trust where digest = :digest', args: { digest } }]);
  return rows.length > 0;
}

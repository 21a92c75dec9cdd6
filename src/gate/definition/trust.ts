import type { Store, Write } from '../../kernel/store.ts';
import { programsIn } from '../guards.ts';
import type { DefinitionFile } from './file.ts';

export async function isTrusted(store: Store, digest: string): Promise<boolean> {
  const [rows = []] = await store.read([{ sql: 'select digest from trust where digest = :digest', args: { digest } }]);
  return rows.length > 0;
}

/** The write that lets the command guards of a definition run. */
export function trustWrite(digest: string, file: string, actor: string, at: string): Write {
  return {
    sql: 'insert into trust (digest, file, actor, at) values (:digest, :file, :actor, :at) on conflict (digest) do nothing',
    args: { digest, file, actor, at },
  };
}

/** Every program that a definition's guards would run. */
export function commandsOf(file: Pick<DefinitionFile, 'definition'>): readonly string[] {
  const { guards = {}, transitions = [] } = file.definition ?? {};
  const references = [...Object.keys(guards), ...transitions.flatMap((one) => one.guards)];
  return [...new Set(programsIn(references, guards))];
}

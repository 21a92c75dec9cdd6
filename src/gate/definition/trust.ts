import type { Context } from '../../kernel/context.ts';
import { programsIn } from '../guards.ts';
import { derivedDigests } from '../ports.ts';
import { isShipped } from './catalogue.ts';
import type { DefinitionFile } from './file.ts';

/** Tells whether this digest is the version that a person last trusted, a shipped one, or derived from trusted files. */
export async function isTrusted(
  context: Pick<Context, 'project' | 'settings' | 'ports'>,
  digest: string,
): Promise<boolean> {
  if ([...context.project.trusted().values()].some((one) => one.digest === digest)) return true;
  return (await isShipped(digest)) || (await derivedDigests.of(context)(context)).includes(digest);
}

export function commandsOf(file: Pick<DefinitionFile, 'definition'>): readonly string[] {
  const { guards = {}, transitions = [] } = file.definition ?? {};
  const references = [...Object.keys(guards), ...transitions.flatMap((one) => one.guards)];
  return [...new Set(programsIn(references, guards))];
}

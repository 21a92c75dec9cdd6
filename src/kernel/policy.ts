import type { Context } from './context.ts';
import { isJsonObject } from '../base/json-object.ts';
import { definePort } from './port.ts';
import { type Problem, refusal } from './problem.ts';

/** May this actor call this tool now? Every surface asks before it runs an operation or forwards a call. */
export interface Policy {
  /** The refusal, or undefined where the tool may run or nobody has an opinion. */
  check(context: Context, tool: string): Promise<Problem | undefined>;
}

/** Where nobody can say what is permitted, nothing is. */
export const policyPort = definePort<Policy>('policy', {
  check: (context, tool) => Promise.resolve(refusal.toolset({ role: context.actor.role, toolset: tool })),
});

/** The caller in the project that a folder belongs to; undefined where that is the caller's own, or no project's. */
export type Elsewhere = (context: Context, folder: string) => Promise<Context | undefined>;

export const elsewherePort = definePort<Elsewhere>('elsewhere', async () => undefined);

/** Fields that name the folder in which something is to be done, in the words of each toolset. */
const folderFields = ['workingDirectory', 'working_directory', 'projectPath', 'project_path'];

/**
 * A project's run binds whatever touches its folder. Somebody who came through another project, where nothing is forbidden,
 * is asked about by the project that they name.
 */
export async function refusalElsewhere(
  policy: Policy,
  context: Context,
  tool: string,
  input: unknown,
): Promise<Problem | undefined> {
  for (const folder of new Set(foldersIn(input))) {
    const there = await elsewherePort.of(context)(context, folder);
    const refused = there === undefined ? undefined : await policy.check(there, tool);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

/** Asked of everything that anybody sends: most of it has none, and is not copied for that. */
function foldersIn(value: unknown, found: string[] = []): readonly string[] {
  if (Array.isArray(value)) for (const one of value) foldersIn(one, found);
  else if (isJsonObject(value))
    for (const key of Object.keys(value)) {
      const one = value[key];
      if (typeof one !== 'string') foldersIn(one, found);
      else if (folderFields.includes(key)) found.push(one);
    }
  return found;
}

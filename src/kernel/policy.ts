import type { Context } from './context.ts';
import { isJsonObject } from '../base/json-object.ts';
import { definePort } from './port.ts';
import { type Problem, refusal } from './problem.ts';

/** Decides whether an actor may call a tool now. Every surface asks it before it runs an operation or forwards a call. */
export interface Policy {
  /** The refusal; undefined if no rule denies the tool. */
  check(context: Context, tool: string): Promise<Problem | undefined>;
}

/** Without an implementation nothing is permitted. */
export const policyPort = definePort<Policy>('policy', {
  check: (context, tool) => Promise.resolve(refusal.toolset({ role: context.actor.role, toolset: tool })),
});

/** The caller's context in the project of a folder; undefined if that is the caller's own project or none. */
export type Elsewhere = (context: Context, folder: string) => Promise<Context | undefined>;

export const elsewherePort = definePort<Elsewhere>('elsewhere', async () => undefined);

/** The input fields that name a working folder, in the spelling of each toolset. */
const folderFields = ['workingDirectory', 'working_directory', 'projectPath', 'project_path'];

/** The refusal of another project whose folder an input names: its run binds every call that touches its folder. */
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

/** The folders that an input names. It runs for every call, and most inputs name none: so nothing is copied. */
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

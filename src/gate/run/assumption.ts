import type { Project } from '../../kernel/context.ts';
import { ofEach } from '../../kernel/of-each.ts';
import type { Condition } from '../../kernel/store.ts';
import type { Definition } from '../definition/definition.ts';
import type { Decision } from '../definition/permissions.ts';
import { decideIn, withoutAsking } from '../definition/permissions.ts';
import type { BoundRun } from './bound-run.ts';
import type { Holders } from './holder.ts';
import { namedOrHeld } from './holder.ts';

/** What a state says of one of our own tools, or of one that we pass on. A server cannot ask a person, so `ask` refuses too. */
export function decideHere(
  definition: Definition,
  state: string,
  tool: string,
): { readonly said: Decision | undefined; readonly refuses: boolean } {
  const names = namesOf(tool);
  const said = decideIn(definition, state, { names });
  const decision = withoutAsking(said, names);
  return { said, refuses: decision !== undefined && decision !== 'allow' };
}

export function namesOf(tool: string): readonly string[] {
  return [tool, `mcp__sekisho__${tool}`];
}

interface Permitting {
  /** What `run` must not be like. */
  readonly sql: string;
  readonly args: Condition['args'];
}

const knownPermitting = ofEach((_definition: Definition) => new Map<string, Permitting | undefined>());
const mostStates = 50;

/**
 * That a tool is permitted, if whoever calls is still bound by the definition that was found last, or by none. In which of its
 * states the run is need not be known: only that it is one which permits the tool.
 */
export function permittedWhile(
  tool: string,
  bound: BoundRun | undefined,
  {
    project,
    runId,
    holders,
  }: { readonly project: Project; readonly runId: string | undefined; readonly holders: Holders },
): Condition | undefined {
  const other = bound === undefined ? nothing : permittingOf(bound, tool);
  if (other === undefined) return undefined;
  const run = namedOrHeld(project.key, runId, holders);
  return {
    sql: `select 1 from run where id = ${run.sql} and is_final = 0${other.sql}`,
    args: { ...run.args, ...other.args },
    rows: 0,
  };
}

const nothing: Permitting = { sql: '', args: {} };

function permittingOf({ definition, digest }: BoundRun, tool: string): Permitting | undefined {
  const known = knownPermitting(definition);
  if (!known.has(tool)) known.set(tool, makePermitting(definition, digest, tool));
  return known.get(tool);
}

function makePermitting(definition: Definition, digest: string, tool: string): Permitting | undefined {
  const states = definition.states.map(({ name }) => name);
  const permitting = states.filter((name) => !decideHere(definition, name, tool).refuses);
  if (permitting.length === states.length) return { sql: ' and definition <> :digest', args: { digest } };
  if (permitting.length === 0 || permitting.length > mostStates) return undefined;
  const named = permitting.map((name, index) => [`state${index}`, name] as const);
  const list = named.map(([name]) => `:${name}`).join(', ');
  return {
    sql: ` and not (definition = :digest and state in (${list}))`,
    args: { digest, ...Object.fromEntries(named) },
  };
}

import type { Store } from '../kernel/store.ts';
import type { Definition, State } from './definition.ts';
import type { Holders } from './holder.ts';
import { heldRun, noHolders } from './holder.ts';

/** The run that binds an agent's tools, as far as policy needs it. Light on purpose: hooks load it for every tool call. */
export interface Binding {
  readonly runId: string;
  readonly processId: string;
  readonly revision: number;
  readonly isFinal: boolean;
  readonly definition: Definition;
  readonly state: State;
  readonly context: Readonly<Record<string, unknown>>;
}

/** A definition never changes under its digest. */
const parsed = new Map<string, Definition>();
const kept = 200;

/** The named run, else the one that the holders hold, else the project's current one. */
export async function readBinding(
  store: Store,
  project: string,
  runId: string | undefined,
  holders: Holders = noHolders,
): Promise<Binding | undefined> {
  const [rows = []] = await store.read([
    {
      sql: `select id, process_id, definition, state, revision, is_final, context from run
        where id = ${runId === undefined ? heldRun : ':run'}`,
      args: runId === undefined ? { project, ...holders } : { run: runId },
    },
  ]);
  const row = rows[0];
  if (row === undefined) return undefined;
  const definition = await definitionOf(store, String(row['definition']));
  const state = definition?.states.find((one) => one.name === row['state']);
  if (definition === undefined || state === undefined) return undefined;
  return {
    runId: String(row['id']),
    processId: String(row['process_id']),
    revision: Number(row['revision']),
    isFinal: row['is_final'] === 1,
    definition,
    state,
    context: JSON.parse(String(row['context'])) as Record<string, unknown>,
  };
}

async function definitionOf(store: Store, digest: string): Promise<Definition | undefined> {
  const known = parsed.get(digest);
  if (known !== undefined) return known;
  const [rows = []] = await store.read([
    { sql: 'select body from definition where digest = :digest', args: { digest } },
  ]);
  const body = rows[0]?.['body'];
  if (typeof body !== 'string') return undefined;
  const definition = JSON.parse(body) as Definition;
  if (parsed.size >= kept) parsed.clear();
  parsed.set(digest, definition);
  return definition;
}

/** The events that lead out of the state: what would open a tool that it forbids. */
export function waysOut(binding: Binding): readonly string[] {
  const leaving = binding.definition.transitions.filter(
    (one) => one.from === binding.state.name && one.to !== one.from,
  );
  return [...new Set(leaving.map((one) => one.event))];
}

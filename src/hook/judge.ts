import type { Actor, Project } from '../kernel/context.ts';
import { Problem } from '../kernel/problem.ts';
import type { Store } from '../kernel/store/store.ts';
import {
  type BoundRun,
  decideIn,
  gateRefusal,
  missingArtifacts,
  possibleEvents,
  readBoundRuns,
  withoutAsking,
} from '../gate/hook-api.ts';
import type { HookEvent, HookInput, ToolUse } from '../fleet/agent-hook.ts';
import type { MovedFolder } from '../fleet/agents.ts';
import { callOf } from './tool-call.ts';
import { type ProtectedFile, findProtectedFile } from './protect.ts';
import { isAskedTwice, recentReceipts, writeReceipt } from './receipts.ts';
import { problem, refusal } from './problem.ts';

export interface HookCase {
  readonly client: string;
  readonly event: HookEvent;
  readonly input: HookInput;
  readonly project: Project;
  readonly callers: readonly string[];
  /** The agent instance from the environment. It can only add a run that binds. */
  readonly instance: string | undefined;
  /** The trees of this project that the call comes from or touches. */
  readonly trees: readonly string[];
  readonly process: string;
  /** True if a person has put this project under a gate. Hooks in a user's settings also ask in all other projects. */
  readonly gated: boolean;
  /** The user's data folder and home folder, and settings folders that were moved out of the home folder. */
  readonly folders: { readonly data: string; readonly home: string; readonly moved: readonly MovedFolder[] };
  /** The folder that relative paths of the call start from. */
  readonly cwd: string;
  readonly actor: Actor;
  now(): Date;
  /** Opens the store; undefined if there is no database yet, and so no current run. */
  store(): Promise<Store | undefined>;
}

export type Judgement =
  | { readonly kind: 'none' }
  | { readonly kind: 'deny' | 'ask'; readonly problem: Problem; readonly permittedIn: readonly string[] }
  | {
      readonly kind: 'context';
      readonly run: BoundRun;
      readonly others: readonly BoundRun[];
      readonly missing: readonly string[];
      readonly restated: boolean;
    }
  | { readonly kind: 'block'; readonly run: BoundRun; readonly missing: readonly string[] }
  | { readonly kind: 'idle' };

const none: Judgement = { kind: 'none' };

/** Judges a hook. It writes the receipt to the store before it returns, so before the client gets an answer. */
export async function judge(hook: HookCase): Promise<Judgement> {
  if (hook.event === 'pre-tool-use') return judgeTool(hook);
  const store = await hook.store();
  const runs = await readBoundRunsOf(hook, store);
  const [run] = runs;
  if (hook.event === 'session-start' && run === undefined && hook.gated) return { kind: 'idle' };
  if (store === undefined || run === undefined || (await isAskedTwice(store, run.id, hook))) return none;
  switch (hook.event) {
    case 'post-tool-use':
      for (const one of runs) await noteUse(hook, store, one);
      return none;
    case 'session-start':
      return restate(hook, store, runs);
    case 'stop':
      return judgeStop(hook, store, run);
  }
}

async function judgeTool(hook: HookCase): Promise<Judgement> {
  const { tool } = hook.input;
  if (tool === undefined) throw problem.HOOK_INPUT({ client: hook.client, reason: 'no_tool' });
  const { root, tree } = hook.project;
  const { data, home, moved } = hook.folders;
  const project = [tree, root];
  const bases = hook.gated ? [...project, home, hook.cwd] : [home];
  const touched = findProtectedFile(tool, { data, project, bases, moved, cwd: hook.cwd });
  if (touched !== undefined) return denyProtected(hook, tool, touched);
  const store = await hook.store();
  if (store === undefined) return none;
  const judged: Judgement[] = [];
  for (const run of await readBoundRunsOf(hook, store)) judged.push(await judgeIn(hook, store, run, tool));
  return chooseStrictest(judged);
}

const strictness = ['deny', 'ask'];

/** Returns the strictest judgement: a call that one run denies is denied. */
export function chooseStrictest(judged: readonly Judgement[]): Judgement {
  return strictness.flatMap((kind) => judged.find((one) => one.kind === kind) ?? [])[0] ?? none;
}

async function judgeIn(hook: HookCase, store: Store, run: BoundRun, tool: ToolUse): Promise<Judgement> {
  const { canAsk } = hook.input;
  const call = callOf(tool, { cwd: hook.cwd, trees: run.binds });
  const said = decideIn(run.definition, run.state, call);
  const decision = (canAsk ? said : withoutAsking(said, tool.names)) ?? 'none';
  const passes = decision === 'none' || decision === 'allow';
  // Skip only permitted calls, never a refusal: a receipt of the other hook is easily forged.
  if (passes && (await isAskedTwice(store, run.id, hook))) return none;
  await noteReceipt(hook, store, run, decision, said === decision ? {} : { said: said ?? null });
  // Return none instead of "allow", which would also skip the client's own permission prompts. The gate only restricts.
  if (passes) return none;
  return {
    kind: decision,
    problem: gateRefusal.tool({
      tool: tool.name,
      state: run.state,
      process: run.processId,
      run_id: run.id,
      ask: said === 'ask',
      opens: possibleEvents(run.definition, run.state, hook.actor.role),
    }),
    permittedIn: run.definition.states
      .map((state) => state.name)
      .filter((state) => state !== run.state && mayUse(decideIn(run.definition, state, call))),
  };
}

/** Reads all open runs that bind; the run that the agent is told about comes first. */
export async function readBoundRunsOf(
  { project, callers, instance, trees }: Pick<HookCase, 'project' | 'callers' | 'instance' | 'trees'>,
  store: Store | undefined,
): Promise<readonly BoundRun[]> {
  if (store === undefined) return [];
  const tasks = [...(instance === undefined ? [] : [instance]), ...callers];
  return readBoundRuns(store, project, { project, tasks, callers, trees });
}

function mayUse(said: ReturnType<typeof decideIn>): boolean {
  return said === undefined || said === 'allow';
}

/** Denies the call even if the store cannot be read; only the receipt needs the store. */
async function denyProtected(hook: HookCase, tool: ToolUse, { path, kind }: ProtectedFile): Promise<Judgement> {
  try {
    const store = await hook.store();
    if (store !== undefined)
      await noteReceipt(hook, store, (await readBoundRunsOf(hook, store))[0], 'deny', { protected: path });
  } catch {
    // The refusal does not depend on the receipt.
  }
  return { kind: 'deny', problem: refusal.protected({ tool: tool.name, path, kind }), permittedIn: [] };
}

/** Records a call that has run. It shows calls about which no hook asked before. */
async function noteUse(hook: HookCase, store: Store, run: BoundRun): Promise<void> {
  const id = hook.input.tool?.id;
  const asked =
    id === undefined
      ? null
      : (await recentReceipts(store, run.id)).some(
          (one) => one['event'] === 'pre-tool-use' && one['client'] === hook.client && one['tool_use_id'] === id,
        );
  await noteReceipt(hook, store, run, 'none', { asked_before: asked });
}

async function restate(hook: HookCase, store: Store, runs: readonly BoundRun[]): Promise<Judgement> {
  const [run, ...others] = runs;
  if (run === undefined) return none;
  const missing = await missingArtifacts(store, run);
  await noteReceipt(hook, store, run, 'context', { source: hook.input.source ?? null });
  return { kind: 'context', run, others, missing, restated: hook.input.source === 'compact' };
}

/** Blocks the stop once per session and revision: an agent that cannot continue must be able to stop. */
async function judgeStop(hook: HookCase, store: Store, run: BoundRun): Promise<Judgement> {
  const missing = hook.input.repeated ? [] : await missingArtifacts(store, run);
  const session = hook.input.session ?? null;
  const said =
    missing.length > 0 &&
    (await recentReceipts(store, run.id)).some(
      (one) =>
        one['event'] === 'stop' &&
        one['decision'] === 'block' &&
        one['session'] === session &&
        one['revision'] === run.revision,
    );
  const blocks = missing.length > 0 && !said;
  await noteReceipt(hook, store, run, blocks ? 'block' : 'none', { missing });
  return blocks ? { kind: 'block', run, missing } : none;
}

function noteReceipt(
  hook: HookCase,
  store: Store,
  run: BoundRun | undefined,
  decision: Parameters<typeof writeReceipt>[2]['decision'],
  more: Readonly<Record<string, unknown>>,
): Promise<void> {
  const by = { actor: hook.actor, project: hook.project, now: () => hook.now() };
  return writeReceipt(store, by, { client: hook.client, event: hook.event, input: hook.input, decision, run, more });
}

import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type HookAnswer, type HookEvent, type HookInput, hookEvents } from '../fleet/agent-hook.ts';
import { type HookedClient, type MovedFolder, findAskingAgent, findHookedAgent } from '../fleet/agents.ts';
import { type HookCase, type Judgement, readBoundRunsOf, judge, chooseStrictest } from './judge.ts';
import { messageOf } from '../base/failure.ts';
import { isJsonObject } from '../base/json-object.ts';
import { writeReceipt } from './receipts.ts';
import {
  type BoundRun,
  gateRefusal,
  instanceHolder,
  permissionsOf,
  personCommands,
  possibleEvents,
  statePrompt,
} from '../gate/hook-api.ts';
import type { Actor, Project } from '../kernel/context.ts';
import type { AgentInstance } from '../kernel/identity.ts';
import { realPath } from './real-path.ts';
import { visiblePaths } from './visible-paths.ts';
import { isTooDeep } from '../kernel/json-limits.ts';
import { isProblem } from '../kernel/problem.ts';
import type { Store } from '../kernel/store/store.ts';
import type { Lang, Say } from '../kernel/text/text.ts';
import { phrase, problem } from './problem.ts';

export interface HookQuestion {
  readonly client: string;
  /** The event from the command line or the URL. The body has the client's own name for it. */
  readonly event: string | undefined;
  /** The client's input, which should be JSON. */
  readonly text: string;
}

export interface HookRules {
  readonly lang: Lang;
  readonly project: Project;
  readonly instance?: AgentInstance | undefined;
  readonly place: { readonly registered: boolean; readonly data: { readonly path: string } };
  readonly process: string;
  readonly hookFail: 'auto' | 'open' | 'closed';
}

export interface HookPlace {
  readonly config: HookRules;
  /** Callers of the hook, by the names that the store uses. */
  readonly callers: readonly string[];
  /** Returns the project and the tree that a folder belongs to. */
  locate(folder: string): { readonly root: string; readonly tree: string };
  /** Folders besides `cwd` in which the client says that it works. */
  readonly starts: readonly string[];
  rootsAround(path: string): readonly string[];
  /** Returns the place that answers for another registered root. */
  elsewhere(root: string): Promise<HookPlace | undefined>;
  /** The reason why the configuration cannot be trusted, if any. */
  readonly failure?: unknown;
  readonly cwd: string;
  /** The user's home folder from the system, not from the environment. */
  readonly home: string;
  /** Settings folders that the client's environment has moved out of the home folder. */
  readonly moved: readonly MovedFolder[];
  readonly actor: Actor;
  store(): Promise<Store | undefined>;
}

export interface HookReply {
  readonly text: string;
  readonly note: string;
}

/** Answers one hook. The hook process and the daemon's endpoint both use it. */
export async function answerHook(question: HookQuestion, place: HookPlace): Promise<HookReply> {
  const entry = findHookedAgent(question.client);
  if (entry === undefined) throw problem.HOOK_INPUT({ client: question.client, reason: 'unknown_client' });
  const raw = parseHook(question.text);
  const client = findAskingAgent(entry, raw);
  const event = eventOf(client, question.event, raw);
  try {
    if (!isJsonObject(raw))
      throw problem.HOOK_INPUT({ client: client.id, reason: raw === undefined ? 'no_json' : 'no_object' });
    if (isTooDeep(raw)) throw problem.HOOK_INPUT({ client: client.id, reason: 'too_deep' });
    if (event === undefined) throw problem.HOOK_INPUT({ client: client.id, reason: 'no_event' });
    const input = client.hook.read(raw);
    const { trees, outside } = touchedTrees(input, place);
    const hook = caseOf(client, event, input, place, trees);
    const judgement = await judgeEverywhere(hook, outside, place, (there) => {
      const within = touchedTrees(input, there).trees;
      return caseOf(client, event, input, there, within);
    });
    if (place.failure !== undefined && judgement.kind !== 'deny') throw place.failure;
    return { text: client.hook.write(answerOf(judgement, hook, place.config.lang)), note: '' };
  } catch (error) {
    return answerFailure(client, event ?? 'pre-tool-use', error, place, raw);
  }
}

export function parseHook(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns the event: from the command line, otherwise by the client's own name for it. */
export function eventOf(client: HookedClient, given: string | undefined, raw: unknown): HookEvent | undefined {
  const known = hookEvents.find((one) => one === given);
  if (known !== undefined || given !== undefined) return known;
  const named = isJsonObject(raw) ? (raw['hook_event_name'] ?? raw['hookEventName']) : undefined;
  return typeof named === 'string' && Object.hasOwn(client.hook.events, named) ? client.hook.events[named] : undefined;
}

/** Judges a call in every registered root that it touches: each of them must permit it. */
async function judgeEverywhere(
  hook: HookCase,
  outside: readonly string[],
  place: HookPlace,
  caseAt: (there: HookPlace) => HookCase,
): Promise<Judgement> {
  const judgement = await judge(hook);
  if (hook.event !== 'pre-tool-use' || judgement.kind === 'deny') return judgement;
  const judged = [judgement];
  for (const root of outside) {
    const there = await place.elsewhere(root);
    if (there?.failure !== undefined) throw there.failure;
    if (there !== undefined) judged.push(await judge(caseAt(there)));
  }
  return chooseStrictest(judged);
}

/** Lists the trees of this project that a call comes from or touches (the one it works in first), and every other root. */
function touchedTrees(
  { tool }: HookInput,
  place: HookPlace,
): { readonly trees: readonly string[]; readonly outside: readonly string[] } {
  const { project } = place.config;
  const paths = pathsOf(tool, place);
  const trees = new Set([project.tree]);
  for (const folder of new Set(paths.map((path) => folderOf(realPath(path))))) {
    const { root, tree } = place.locate(folder);
    if (root === project.root) trees.add(tree);
  }
  const roots = new Set(paths.flatMap((path) => place.rootsAround(path)));
  return { trees: [...trees], outside: [...roots].filter((root) => root !== project.root) };
}

/** Longer than any file system allows. */
const maxPathLength = 4096;

/** Lists the folders that the call comes from and the files that it names, without strings that cannot be files. */
function pathsOf(tool: HookInput['tool'], { cwd, starts }: HookPlace): readonly string[] {
  const paths = [cwd, ...starts, ...(tool === undefined ? [] : visiblePaths(tool, cwd))];
  return paths.filter((path) => path.length <= maxPathLength && !path.includes('\0'));
}

function folderOf(path: string): string {
  try {
    return statSync(path).isDirectory() ? path : dirname(path);
  } catch {
    return dirname(path); // The file does not exist yet, or cannot exist: a name may be too long.
  }
}

function caseOf(
  client: HookedClient,
  event: HookEvent,
  input: HookInput,
  place: HookPlace,
  trees: readonly string[],
): HookCase {
  const { instance } = place.config;
  return {
    client: client.id,
    event,
    input,
    project: place.config.project,
    callers: place.callers,
    instance: instance && instanceHolder(instance),
    trees,
    process: place.config.process,
    gated: place.config.place.registered || existsSync(place.config.project.home),
    folders: { data: place.config.place.data.path, home: place.home, moved: place.moved },
    cwd: place.cwd,
    actor: place.actor,
    now: () => new Date(),
    // With a broken configuration this may be the wrong store: decide only what needs none.
    store: async () => (place.failure === undefined ? place.store() : undefined),
  };
}

function answerOf(judgement: Judgement, hook: HookCase, lang: Lang): HookAnswer {
  if (judgement.kind === 'none') return judgement;
  const say: Say = (sentence) => sentence(lang);
  if (judgement.kind === 'idle') return { kind: 'context', text: say(phrase.noRun({ process: hook.process })) };
  if ('problem' in judgement) {
    const { problem: refused, permittedIn, kind } = judgement;
    const tool = hook.input.tool?.name ?? '';
    const states = gateRefusal.tool.is(refused) ? ` ${say(phrase.permittedIn({ tool, states: permittedIn }))}` : '';
    return { kind, reason: refused.in(lang) + states };
  }
  const { run, missing, kind } = judgement;
  const events = possibleEvents(run.definition, run.state, hook.actor.role);
  if (kind === 'block')
    return { kind, reason: say(phrase.notDone({ run_id: run.id, state: run.state, missing, events })) };
  const { allowed, denied, ask } = permissionsOf(run) ?? { allowed: [], denied: [], ask: [] };
  const text = say(
    phrase.state({
      run_id: run.id,
      process: run.processId,
      version: run.processVersion,
      state: run.state,
      revision: run.revision,
      prompt: statePrompt(run.definition, run.state, run.context),
      allowed,
      denied,
      ask,
      events,
      missing,
      asks: personCommands(run),
      restated: judgement.restated,
    }),
  );
  const also = judgement.others.map(
    (one) => ` ${say(phrase.bindsToo({ run_id: one.id, process: one.processId, state: one.state }))}`,
  );
  return { kind, text: text + also.join('') };
}

const unreadInput: HookInput = {
  tool: undefined,
  cwd: undefined,
  session: undefined,
  source: undefined,
  repeated: false,
  canAsk: false,
};

/** Answers after a failure. Only a question about a tool can be denied; other failures are reported to people only. */
async function answerFailure(
  client: HookedClient,
  event: HookEvent,
  error: unknown,
  place: HookPlace,
  raw: unknown,
): Promise<HookReply> {
  const { lang, hookFail, project } = place.config;
  const reason = isProblem(error) ? error.in(lang) : messageOf(error);
  const bound = (await lookForRun(place)) ?? (await lookElsewhere(client, place, raw));
  const closed = event === 'pre-tool-use' && (hookFail === 'auto' ? bound !== undefined : hookFail === 'closed');
  const note = phrase.failed({ reason, closed })(lang);
  if (bound !== undefined && bound !== 'unknown') {
    const by = { actor: place.actor, project, now: () => new Date() };
    const decision = closed ? 'deny' : 'none';
    const more = { failure: isProblem(error) ? error.code : 'INTERNAL_ERROR' };
    const receipt = { client: client.id, event, input: unreadInput, decision, run: bound.run, more } as const;
    // The answer is decided, and the store itself may be what failed.
    await writeReceipt(bound.store, by, receipt).catch(() => undefined);
  }
  return { text: client.hook.write(closed ? { kind: 'deny', reason: note } : { kind: 'none' }), note };
}

/** Looks for an open run in every other root that the call may touch, as far as the input can be read. */
async function lookElsewhere(client: HookedClient, place: HookPlace, raw: unknown): ReturnType<typeof lookForRun> {
  try {
    const tool = isJsonObject(raw) ? client.hook.read(raw).tool : undefined;
    for (const root of new Set(pathsOf(tool, place).flatMap((path) => place.rootsAround(path)))) {
      const there = root === place.config.project.root ? undefined : await place.elsewhere(root);
      const found = there && (await lookForRun(there));
      if (found !== undefined) return found;
    }
    return undefined;
  } catch {
    return 'unknown';
  }
}

/** Finds the open run; `unknown` if there is a database that cannot be read. */
async function lookForRun(place: HookPlace): Promise<{ store: Store; run: BoundRun } | 'unknown' | undefined> {
  try {
    const { project, instance } = place.config;
    const open = await place.store();
    const trees = [project.tree];
    const [run] = await readBoundRunsOf(
      { project, callers: place.callers, instance: instance && instanceHolder(instance), trees },
      open,
    );
    return open === undefined || run === undefined ? undefined : { store: open, run };
  } catch {
    return 'unknown';
  }
}

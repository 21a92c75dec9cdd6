import { existsSync } from 'node:fs';
import type { App } from '../../app/application.ts';
import { type FoundStore, type Ring, callingOf } from '../../setup/rings.ts';
import type { Config } from '../../config/load.ts';
import type { ProjectPlace } from '../../config/locate.ts';
import { listAgents } from '../../fleet/operation/list-agents.ts';
import { pausedProblem, readPause } from '../../fleet/index.ts';
import type { Definition } from '../../gate/definition/definition.ts';
import { getState } from '../../gate/operation/get-state.ts';
import { listWaiting } from '../../gate/operation/list-waiting.ts';
import { describeBoundRun } from '../../gate/run/binding.ts';
import { readBoundRuns } from '../../gate/run/bound-run.ts';
import { holdersOf } from '../../gate/run/holder.ts';
import { titleOf } from '../../gate/view/title.ts';
import { clients as gatedClients, isInstalled } from '../../setup/install.ts';
import type { Context } from '../../kernel/context.ts';
import type { Overview, RunSeen } from './overview-view.ts';
import { readBoards } from '../../work/task/board.ts';
import { openMatters } from '../../work/task/notices.ts';

/** Reads the status of the project. The caller has examined the rings: that takes a while, and they rarely change. */
export async function readOverview(app: App, found: FoundStore, rings: readonly Ring[]): Promise<Overview> {
  const { config } = app;
  const seen = {
    ok: rings.every((one) => one.state !== 'broken'),
    project: config.project.root,
    rings: rings.map((one) => ({ ...one, found: one.found(config.lang) })),
  };
  const fix = rings.find((one) => one.state === 'broken' && one.remedy?.startsWith('sekisho') === true)?.remedy;
  if ('trouble' in found)
    return {
      ...seen,
      run: null,
      waiting: [],
      matters: [],
      agents: [],
      paused: null,
      tasks: [],
      next: fix ?? 'sekisho doctor',
      next_clients: [],
    };
  const context = await app.context({});
  const [run, { waiting }, matters, running, boards, pause] = await Promise.all([
    readRunSeen(context),
    listWaiting.run(context, listWaiting.input.parse({})),
    openMatters(context, mostMatters),
    listAgents.run(context, listAgents.input.parse({ status: 'running' })),
    readBoards(context, undefined),
    readPause(context),
  ]);
  const clients = rings.flatMap((one) => (one.name === 'hooks' && one.client !== undefined ? [one.client] : []));
  const next = nextCommand(config, { isPaused: pause !== undefined, waiting, fix, run, clients });
  return {
    ...seen,
    run,
    waiting: waiting.map(({ run_id, process_id, title, state, since }) => ({
      run_id,
      process_id,
      title,
      state,
      since,
    })),
    matters: matters.map(({ subject, title, text }) => ({ subject, title, text: text(config.lang) })),
    agents: running.agents.map(({ agentId, lastActivity }) => ({ agent: agentId, last: lastActivity ?? null })),
    paused: pause === undefined ? null : pausedProblem(pause).in(config.lang),
    tasks: boards.flatMap(({ tasks }) =>
      tasks.filter((one) => one.ready).map(({ id, number, title }) => ({ task_id: id, number, title })),
    ),
    next,
    next_clients: next === begin ? clients : [],
  };
}

const begin = 'sekisho start';
const mostMatters = 100;

interface Situation {
  readonly isPaused: boolean;
  readonly waiting: readonly { readonly run_id: string }[];
  /** The command that fixes a broken ring. */
  readonly fix: string | undefined;
  readonly run: RunSeen | null;
  /** The clients whose hooks ask us before each tool. */
  readonly clients: readonly string[];
}

function nextCommand(config: Config, { isPaused, waiting: [first], fix, run, clients }: Situation): string {
  if (isPaused) return 'sekisho resume';
  if (first !== undefined) return `sekisho approve ${first.run_id}`;
  if (fix !== undefined) return fix;
  if (run !== null) return 'sekisho submit';
  if (isFresh(config.place)) return 'sekisho init';
  const calling = { ...callingOf(config), scope: 'own' } as const;
  const installed = clients.length > 0 ? undefined : gatedClients.find((one) => isInstalled(one, calling));
  return installed === undefined ? begin : `sekisho init --client ${installed.id}`;
}

/** Whether nothing was prepared here yet. */
export function isFresh({ registered, home }: ProjectPlace): boolean {
  return !registered && !existsSync(home);
}

async function readRunSeen(context: Context): Promise<RunSeen | null> {
  const runs = await readBoundRuns(context.store, context.project, holdersOf(context));
  const bound = runs.find((one) => one.id === context.runId) ?? runs[0];
  if (bound === undefined) return null;
  const state = await getState.run(context, { run_id: bound.id });
  return {
    run_id: bound.id,
    process_id: bound.processId,
    title: titleOf(bound) ?? null,
    state: state.current_state,
    path: [
      ...wayTo(bound.definition, bound.definition.initial_state, (one) => one === bound.state),
      ...wayTo(bound.definition, bound.state, (one) =>
        bound.definition.states.some(({ name, is_final }) => is_final && name === one),
      ).slice(1),
    ],
    missing: state.missing_guards.map((one) => `${one.guard_name}: ${one.current_status}`),
    waits_for_person: state.waits_for_person,
    binding: runs.map((one) => describeBoundRun(context, one)),
  };
}

/** The shortest path from a state to a wanted one; the state alone where there is no path. */
function wayTo(definition: Definition, from: string, wanted: (state: string) => boolean): readonly string[] {
  const known = new Set([from]);
  for (let ways: readonly (readonly string[])[] = [[from]]; ways.length > 0;) {
    const arrived = ways.find((way) => wanted(way.at(-1) ?? ''));
    if (arrived !== undefined) return arrived;
    ways = ways.flatMap((way) =>
      definition.transitions
        .filter((one) => one.from === way.at(-1) && !known.has(one.to))
        .map(({ to }) => {
          known.add(to);
          return [...way, to];
        }),
    );
  }
  return [from];
}

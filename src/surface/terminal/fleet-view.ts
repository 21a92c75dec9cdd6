import { style } from './style.ts';

/** What is shown of a fleet; the module's own states fit it. */
export interface FleetView {
  readonly groups: readonly {
    readonly groupId: string;
    readonly description: string;
    readonly mode: string | null;
  }[];
  readonly agents: readonly {
    readonly agentId: string;
    readonly groupId: string | null;
    readonly status: string;
    readonly elapsed_ms: number;
    readonly toolCallCount: number;
    readonly stageIndex: number | null;
    readonly totalStages: number | null;
    readonly lastActivity: string | null;
    readonly usage: { readonly inputTokens?: number; readonly outputTokens?: number } | null;
    readonly result: { readonly errorMessage: string | null } | null;
  }[];
}

type Agent = FleetView['agents'][number];

/** Groups and their agents as a page for a terminal. */
export function renderFleet({ groups, agents }: FleetView, width: number): string {
  const of = (groupId: string | null) => agents.filter((one) => one.groupId === groupId).toReversed();
  const sections = [
    ...groups.map((one) => ({ title: `${one.groupId}  ${one.description}`, note: one.mode, agents: of(one.groupId) })),
    { title: 'runner', note: null, agents: of(null) },
  ].filter((one) => one.title !== 'runner' || one.agents.length > 0);
  if (sections.length === 0) return `${style.dim('No group is active. Make one with create_group.')}\n`;
  return sections
    .flatMap(({ title, note, agents: members }) => [
      `${style.bold(title)}${note === null ? '' : style.dim(`  ${note}`)}`,
      ...(members.length === 0 ? [style.dim('  no agents yet')] : members.map((one) => agentLine(one, width))),
      '',
    ])
    .join('\n');
}

function agentLine(agent: Agent, width: number): string {
  const fixed = [
    (agent.stageIndex === null ? '' : `${agent.stageIndex + 1}/${agent.totalStages ?? '?'}`).padEnd(3),
    agent.agentId.padEnd(30),
    agent.status.padEnd(14),
    clock(agent.elapsed_ms).padStart(8),
    `${agent.toolCallCount} calls`.padStart(10),
    tokens(agent).padStart(9),
  ].join(' ');
  const last = (agent.result?.errorMessage ?? agent.lastActivity ?? '').replaceAll(/\s+/g, ' ');
  const room = Math.max(0, width - fixed.length - 5);
  const tail = last.length > room ? `${last.slice(0, Math.max(0, room - 1))}…` : last;
  return `  ${fixed.replace(agent.status, paint(agent.status))}  ${style.dim(tail)}`;
}

function paint(status: string): string {
  if (status === 'running') return style.cyan(status);
  if (status === 'completed' || status === 'resultReported') return style.green(status);
  return status === 'queued' ? style.dim(status) : style.red(status);
}

function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const rest = `${Math.floor(seconds / 60) % 60}:${String(seconds % 60).padStart(2, '0')}`;
  return seconds < 3600 ? rest : `${Math.floor(seconds / 3600)}:${rest.padStart(5, '0')}`;
}

function tokens({ usage }: Agent): string {
  const sum = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
  if (sum === 0) return '';
  return sum < 10_000 ? `${sum} tok` : `${(sum / 1000).toFixed(0)}k tok`;
}

/** The whole fleet in a few lines, as a reader of the contract would write it down. One world; what may go either way is several. */
export interface ModelAgent {
  readonly group: string;
  readonly plan: number | undefined;
  readonly stage: number;
  /** `waiting`: its stage has not begun. */
  status: 'waiting' | 'running' | 'completed' | 'failed' | 'cancelled';
  report: 'success' | 'failure' | undefined;
}

interface ModelGroup {
  mode: 'concurrent' | 'sequential' | undefined;
  active: boolean;
}

interface ModelPlan {
  readonly group: string;
  readonly stages: number;
  readonly onFailure: 'stop' | 'continue';
  current: number;
  running: boolean;
}

export interface Model {
  readonly groups: Map<string, ModelGroup>;
  readonly agents: Map<string, ModelAgent>;
  readonly plans: ModelPlan[];
}

export const max = 5;

export const emptyModel = (): Model => ({ groups: new Map(), agents: new Map(), plans: [] });

export const copy = (model: Model): Model => structuredClone(model);

export const isLive = ({ status }: ModelAgent) => status === 'waiting' || status === 'running';

/** What everybody is shown of an agent. */
export function shown(agent: ModelAgent): string {
  if (agent.status === 'waiting') return 'queued';
  return agent.report !== undefined && !isLive(agent) ? 'resultReported' : agent.status;
}

const all = ({ agents }: Model) => [...agents.values()];

export const room = (model: Model) => max - all(model).filter((one) => one.status === 'running').length;

/** Why these agents may not start; undefined where they may. */
export function refusal(
  model: Model,
  group: string,
  mode: 'concurrent' | 'sequential',
  largest: number,
): string | undefined {
  const found = model.groups.get(group);
  if (found === undefined) return 'GROUP_NOT_FOUND';
  if (!found.active) return 'GROUP_NOT_ACTIVE';
  if (found.mode !== undefined && found.mode !== mode) return 'MODE_MISMATCH';
  if (mode === 'sequential' && model.plans.some((one) => one.group === group && one.running))
    return 'SEQUENTIAL_START_FAILED';
  return largest > room(model) ? 'MAX_CONCURRENT_REACHED' : undefined;
}

export function start(
  model: Model,
  group: string,
  stages: readonly (readonly string[])[],
  onFailure?: 'stop' | 'continue',
): void {
  const found = model.groups.get(group);
  if (found !== undefined) found.mode = onFailure === undefined ? 'concurrent' : 'sequential';
  const plan = onFailure === undefined ? undefined : model.plans.length;
  if (onFailure !== undefined) model.plans.push({ group, stages: stages.length, onFailure, current: 0, running: true });
  for (const [stage, ids] of stages.entries())
    for (const id of ids)
      model.agents.set(id, { group, plan, stage, status: stage === 0 ? 'running' : 'waiting', report: undefined });
}

const succeeded = (one: ModelAgent) => one.status === 'completed' && one.report !== 'failure';

/** Stages that are due begin. Where two want the same room, either may: each way is a world of its own. */
export function settled(model: Model): readonly Model[] {
  const moves = model.plans.flatMap((plan, index) => {
    if (!plan.running) return [];
    const next = step(model, index);
    return next === undefined ? [] : [next];
  });
  return moves.length === 0 ? [model] : moves.flatMap(settled);
}

function step(before: Model, index: number): Model | undefined {
  const model = copy(before);
  const plan = model.plans[index];
  if (plan === undefined) return undefined;
  const of = (stage: number) => all(model).filter((one) => one.plan === index && one.stage === stage);
  for (let stage = plan.current; stage < plan.stages; stage++) {
    const members = of(stage);
    const open = members.filter(isLive);
    if (open.length > 0) {
      if (stage === plan.current || open.length > room(model)) return undefined;
      plan.current = stage;
      for (const one of open) one.status = 'running';
      return model;
    }
    if (plan.onFailure === 'stop' && !members.every(succeeded)) {
      plan.running = false;
      for (const one of all(model)) if (one.plan === index && isLive(one)) one.status = 'cancelled';
      return model;
    }
  }
  plan.running = false;
  return model;
}

/** The same world reached in two ways is one. */
export function distinct(models: readonly Model[]): readonly Model[] {
  const seen = new Map(models.map((one) => [JSON.stringify([[...one.groups], [...one.agents], one.plans]), one]));
  return [...seen.values()];
}

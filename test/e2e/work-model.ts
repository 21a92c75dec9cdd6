/** Everything of `work` that the trial looks at, as a reader of the contract would write it down. */
export interface Model {
  readonly tasks: ReadonlyMap<string, TaskState>;
  readonly handoffs: ReadonlyMap<string, { readonly from: string; readonly to: string }>;
  /** By agent: the task that its live session works on. */
  readonly sessions: ReadonlyMap<string, string | null>;
}

export interface TaskState {
  readonly status: string;
  readonly assignee: string | null;
  readonly dependsOn: readonly string[];
  readonly claim: string | null;
}

export type Op =
  | { readonly kind: 'move'; readonly task: string; readonly to: string }
  | { readonly kind: 'assign'; readonly task: string; readonly agent: string }
  | { readonly kind: 'depend'; readonly task: string; readonly on: readonly string[] }
  | { readonly kind: 'reopen'; readonly task: string }
  | { readonly kind: 'login' | 'take' | 'logout'; readonly agent: string }
  | { readonly kind: 'report'; readonly agent: string; readonly result: 'success' | 'failed' }
  | { readonly kind: 'hand'; readonly task: string; readonly from: string; readonly to: string }
  | { readonly kind: 'accept'; readonly task: string; readonly agent: string };

/** What was answered: a code where it was refused, and the task that `take` gave. */
export interface Answer {
  readonly code: string | undefined;
  readonly task?: string | null;
}

const moves: Readonly<Record<string, readonly string[]>> = {
  backlog: ['todo', 'cancelled'],
  todo: ['in_progress', 'backlog', 'cancelled'],
  in_progress: ['done', 'blocked', 'todo'],
  blocked: ['in_progress', 'cancelled'],
  done: [],
  cancelled: [],
};

const isClosed = (status: string) => status === 'done' || status === 'cancelled';

/** Every way in which the model can go on; a code stands for a refusal that changes nothing. */
export function possible(model: Model, op: Op): readonly (readonly [Answer, Model])[] {
  const refuse = (code: string) => [[{ code }, model]] as const;
  const done = (next: Model) => [[{ code: undefined }, next]] as const;
  const task = (id: string) => model.tasks.get(id)!;
  switch (op.kind) {
    case 'move': {
      const { status, claim } = task(op.task);
      if (claim !== null) return refuse('TASK_CLAIMED');
      if (!moves[status]!.includes(op.to)) return refuse('INVALID_TRANSITION');
      if (op.to === 'in_progress' && waits(model, op.task)) return refuse('DEPENDENCIES_OPEN');
      return done(moved(model, op.task, op.to));
    }
    case 'assign': {
      const { claim, assignee } = task(op.task);
      if (claim !== null) return refuse('TASK_CLAIMED');
      if (assignee === op.agent) return done(model);
      const given = changed(model, op.task, { assignee: op.agent, claim: null });
      // Who offered it has it no more.
      return done({ ...given, handoffs: without(given.handoffs, op.task) });
    }
    case 'depend': {
      const circle = op.on.some((other) => reaches(model, other, op.task));
      return circle ? refuse('DEPENDENCY_CYCLE') : done(changed(model, op.task, { dependsOn: op.on }));
    }
    case 'reopen':
      return isClosed(task(op.task).status)
        ? done(changed(model, op.task, { status: 'todo', claim: null }))
        : refuse('INVALID_TRANSITION');
    case 'login':
      return model.sessions.has(op.agent)
        ? refuse('ALREADY_RUNNING')
        : done({ ...model, sessions: new Map([...model.sessions, [op.agent, null]]) });
    case 'take':
      return model.sessions.has(op.agent) ? takings(model, op.agent) : refuse('INVALID_SESSION');
    case 'logout':
      return model.sessions.has(op.agent) ? done(ended(model, op.agent)) : refuse('INVALID_SESSION');
    case 'report':
      return model.sessions.has(op.agent) ? reports(model, op.agent, op.result) : refuse('INVALID_SESSION');
    case 'hand': {
      const { status, assignee, claim } = task(op.task);
      if (isClosed(status)) return refuse('TASK_CLOSED');
      if (assignee !== null && assignee !== op.from) return refuse('TASK_NOT_YOURS');
      if (claim !== null) return refuse('TASK_CLAIMED');
      return done({ ...model, handoffs: new Map([...model.handoffs, [op.task, { from: op.from, to: op.to }]]) });
    }
    case 'accept': {
      const handoff = model.handoffs.get(op.task);
      // Whose the last one was is not kept here.
      if (handoff === undefined) return [...refuse('HANDOFF_CLOSED'), ...refuse('HANDOFF_NOT_YOURS')];
      if (handoff.to !== op.agent) return refuse('HANDOFF_NOT_YOURS');
      const { status } = task(op.task);
      const starts = (status === 'todo' || status === 'blocked') && !waits(model, op.task);
      const claim = model.sessions.has(op.agent) ? op.agent : null;
      const given = changed(model, op.task, { assignee: op.agent, claim, ...(starts && { status: 'in_progress' }) });
      return done({
        ...given,
        handoffs: without(given.handoffs, op.task),
        sessions: claim === null ? given.sessions : new Map([...given.sessions, [op.agent, op.task]]),
      });
    }
  }
}

function changed(model: Model, id: string, change: Partial<TaskState>): Model {
  return { ...model, tasks: new Map([...model.tasks, [id, { ...model.tasks.get(id)!, ...change }]]) };
}

function without<V>(map: ReadonlyMap<string, V>, key: string): ReadonlyMap<string, V> {
  return new Map([...map].filter(([one]) => one !== key));
}

function waits(model: Model, id: string, closing?: string): boolean {
  return model.tasks.get(id)!.dependsOn.some((one) => one !== closing && !isClosed(model.tasks.get(one)!.status));
}

function reaches(model: Model, from: string, to: string, seen = new Set<string>()): boolean {
  if (from === to) return true;
  if (seen.has(from)) return false;
  seen.add(from);
  return model.tasks.get(from)!.dependsOn.some((one) => reaches(model, one, to, seen));
}

/** With what begins by itself because of it: the project has `auto_start`. */
function moved(model: Model, id: string, to: string): Model {
  let next = changed(model, id, { status: to, claim: null });
  if (!isClosed(to)) return next;
  next = { ...next, handoffs: without(next.handoffs, id) };
  for (const [other, { status, assignee, dependsOn }] of next.tasks)
    if (status === 'todo' && assignee !== null && dependsOn.includes(id) && !waits(next, other, id))
      next = changed(next, other, { status: 'in_progress', claim: null });
  return next;
}

function takings(model: Model, agent: string): readonly (readonly [Answer, Model])[] {
  const mine = (status: string) =>
    [...model.tasks].flatMap(([id, one]) => (one.assignee === agent && one.status === status ? [id] : []));
  const current = model.sessions.get(agent) ?? null;
  const working = mine('in_progress').filter((id) => (model.handoffs.get(id)?.to ?? agent) === agent);
  const handed = [...model.handoffs].flatMap(([id, { to }]) =>
    to === agent && !isClosed(model.tasks.get(id)!.status) ? [id] : [],
  );
  const ready = mine('todo').filter((id) => !waits(model, id));
  const choices =
    current !== null && mine('in_progress').includes(current)
      ? [current]
      : ([working, handed, ready].find((some) => some.length > 0) ?? []);
  if (choices.length === 0) return [[{ code: undefined, task: null }, model]];
  return choices.map((id) => {
    const own = model.tasks.get(id)!.assignee === agent;
    // One that was handed over begins when that is accepted.
    const starts = choices === ready;
    const claims = own && (starts || model.tasks.get(id)!.status === 'in_progress');
    const taken = changed(model, id, { ...(starts && { status: 'in_progress' }), ...(claims && { claim: agent }) });
    return [
      { code: undefined, task: id },
      { ...taken, sessions: new Map([...taken.sessions, [agent, id]]) },
    ] as const;
  });
}

function reports(model: Model, agent: string, result: 'success' | 'failed'): readonly (readonly [Answer, Model])[] {
  const current = model.sessions.get(agent) ?? null;
  const working = [...model.tasks].flatMap(([id, one]) =>
    one.assignee === agent && one.status === 'in_progress' && (model.handoffs.get(id)?.to ?? agent) === agent
      ? [id]
      : [],
  );
  const candidates = current === null ? working : [current];
  if (candidates.length === 0) return [[{ code: undefined }, ended(model, agent)]];
  const to = result === 'success' ? 'done' : 'blocked';
  return candidates.map((id) => {
    const { assignee, status } = model.tasks.get(id)!;
    if (assignee !== agent) return [{ code: 'TASK_NOT_YOURS' }, model];
    if (status !== to && !moves[status]!.includes(to)) return [{ code: 'INVALID_TRANSITION' }, model];
    const next = status === to ? model : moved(model, id, to);
    return [{ code: undefined }, ended(next, agent)];
  });
}

function ended(model: Model, agent: string): Model {
  const tasks = [...model.tasks].map(([id, one]) => [id, one.claim === agent ? { ...one, claim: null } : one] as const);
  return { ...model, tasks: new Map(tasks), sessions: without(model.sessions, agent) };
}

/** Of operations at once: every end that some order of them explains, with the answers that were given. An undefined answer is that of a client that was killed: it may have happened or not. */
export function explained(
  model: Model,
  given: readonly { readonly op: Op; readonly answer: Answer | undefined }[],
): readonly Model[] {
  if (given.length === 0) return [model];
  return given.flatMap(({ op, answer }, index) => {
    const rest = given.filter((_, other) => other !== index);
    const next = possible(model, op).flatMap(([predicted, after]) =>
      answer === undefined || (answer.code === predicted.code && answer.task === predicted.task) ? [after] : [],
    );
    return [...next, ...(answer === undefined ? [model] : [])].flatMap((one) => explained(one, rest));
  });
}

/** What can be seen of it from outside. */
export function visible({ tasks, handoffs }: Pick<Model, 'tasks' | 'handoffs'>): string {
  const sorted = <V>(map: ReadonlyMap<string, V>) => [...map].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([
    sorted(tasks).map(([id, one]) => [id, { ...one, dependsOn: one.dependsOn.toSorted() }]),
    sorted(handoffs),
  ]);
}

import type { Context } from '../kernel/context.ts';
import type { Prompt } from '../kernel/operation.ts';
import type { Row } from '../kernel/store/store.ts';
import { text } from '../kernel/store/row.ts';
import { readRunPosition } from '../gate/index.ts';
import { readAgent } from './session/agents.ts';
import { contextFields, contextRecord, latestContextQuery } from './task/contexts.ts';
import { executionRecord, executionsQuery } from './session/executions.ts';
import { handoffRecord, latestHandoffQuery } from './task/handoffs.ts';
import { resolveTaskId } from './task/reference.ts';
import type { Task } from './task/task.ts';
import { readTask } from './task/tasks.ts';
import { phrase } from './problem.ts';
import { words } from './words.ts';

const shownExecutions = 5;
const shownVersions = 10;

const taskArgument = { name: 'task_id', description: words('ID or number: 12'), required: true };

const taskStart: Prompt = {
  name: 'task_start',
  toolsets: ['work'],
  summary: words('Guidance for starting a task: what to do, its progress and earlier executions.'),
  arguments: [taskArgument, { name: 'agent_id', description: words('The agent that starts it'), required: true }],
  async render(context, { task_id: given = '', agent_id: agentId = '' }) {
    const task = await readTask(context, await resolveTaskId(context, given));
    const { id } = task;
    const agent = await readAgent(context, agentId);
    const [[saved] = [], [handed] = [], past = []] = await context.store.read([
      latestContextQuery(id),
      latestHandoffQuery(id),
      executionsQuery(id, shownExecutions),
    ]);
    return sections([
      context.say(phrase.promptStart({ title: task.title, task_id: id, agent: text(agent, 'name') })),
      text(agent, 'system_prompt'),
      titled(context.say(phrase.promptDescription()), task.description),
      titled(context.say(phrase.promptAcceptance()), bullets(task.acceptance)),
      await process(context, task),
      titled(context.say(phrase.promptContext()), notes(context, saved) ?? context.say(phrase.promptNothing())),
      handover(context, handed),
      titled(context.say(phrase.promptExecutions()), executions(past, context.now())),
      context.say(phrase.promptFinish()),
    ]);
  },
};

const handoffTemplate: Prompt = {
  name: 'handoff_template',
  toolsets: ['work'],
  summary: words('A template for handing a task over.'),
  arguments: [
    taskArgument,
    { name: 'from_agent_id', description: words('The agent that hands it over'), required: true },
  ],
  async render(context, { task_id: given = '', from_agent_id: from = '' }) {
    const task = await readTask(context, await resolveTaskId(context, given));
    const { id } = task;
    await readAgent(context, from);
    const [[saved] = []] = await context.store.read([latestContextQuery(id)]);
    return sections([
      context.say(phrase.promptTemplate({ task_id: id, from, title: task.title })),
      await process(context, task),
      titled(context.say(phrase.promptContext()), notes(context, saved) ?? context.say(phrase.promptNothing())),
    ]);
  },
};

const contextSummary: Prompt = {
  name: 'context_summary',
  toolsets: ['work'],
  summary: words('A summary of a task: its saved contexts and its latest hand-off.'),
  arguments: [taskArgument],
  async render(context, { task_id: given = '' }) {
    const task = await readTask(context, await resolveTaskId(context, given));
    const { id } = task;
    const [versions = [], [handed] = []] = await context.store.read([
      {
        sql: 'select * from work_context where task_id = :task order by version desc limit :limit',
        args: { task: id, limit: shownVersions },
      },
      latestHandoffQuery(id),
    ]);
    return sections([
      context.say(phrase.promptSummary({ title: task.title, task_id: id, status: task.status })),
      ...(versions.length === 0
        ? [context.say(phrase.promptNothing())]
        : versions.map((row) => titled(`${text(row, 'at')} ${text(row, 'actor')}`, notes(context, row)))),
      handover(context, handed),
    ]);
  },
};

export const workPrompts: readonly Prompt[] = [taskStart, handoffTemplate, contextSummary];

function sections(parts: readonly (string | undefined)[]): string {
  return parts.filter((one) => one !== undefined && one !== '').join('\n\n');
}

function titled(title: string, body: string | undefined): string | undefined {
  return body === undefined || body === '' ? undefined : `## ${title}\n\n${body}`;
}

function bullets(items: readonly string[]): string {
  return items.map((one) => `- ${one}`).join('\n');
}

function notes(context: Context, row: Row | undefined): string | undefined {
  if (row === undefined) return undefined;
  const record = contextRecord(row);
  return bullets(
    contextFields.flatMap((field) => {
      const value = record[field];
      return value === null ? [] : [`${context.say(phrase.field({ field }))}: ${value}`];
    }),
  );
}

function handover(context: Context, row: Row | undefined): string | undefined {
  if (row === undefined) return undefined;
  const { from_agent_id: from, summary, context: more, recommendations } = handoffRecord(row);
  return titled(context.say(phrase.promptHandoff({ from })), sections([summary, more ?? '', recommendations ?? '']));
}

function executions(rows: readonly Row[], now: Date): string {
  return bullets(
    rows
      .map((row) => executionRecord(row, now))
      .map(
        (one) => `${one.startedAt} ${one.agentId}: ${one.status}${one.exitCode === null ? '' : ` (${one.exitCode})`}`,
      ),
  );
}

async function process(context: Context, task: Task): Promise<string | undefined> {
  if (task.runId === null) return undefined;
  const { process_id, run_id, current_state: state, prompt } = await readRunPosition(context, task.runId);
  return sections([context.say(phrase.promptProcess({ process_id, run_id, state })), prompt ?? undefined]);
}

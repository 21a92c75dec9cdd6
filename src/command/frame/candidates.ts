import { createApp } from '../../app/application.ts';
import { loadCatalogue } from '../../app/catalogue.ts';
import { configure } from '../../app/configure.ts';
import type { Flags } from '../../config/load.ts';
import { invoke } from '../../kernel/invoke.ts';
import type { Operation } from '../../kernel/operation.ts';
import type { JsonObject } from '../../base/json-object.ts';
import { isToolset, toolsets } from '../../kernel/toolset.ts';
import { choicesOf, commandName, optionsOf } from '../../surface/terminal/cli.ts';
import type { Invocation } from './command.ts';

type Line = Pick<Invocation, 'flags' | 'commands'>;

/** What may stand in place of the last word. */
export async function candidates(words: readonly string[], line: Line): Promise<readonly string[]> {
  const last = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const found = await all(before, last, line).catch(() => []); // A shell must not hear of our troubles.
  return [...new Set(found)].filter((one) => one.startsWith(last));
}

async function all(before: readonly string[], last: string, line: Line): Promise<readonly string[]> {
  const { flags, commands } = line;
  const [first, second] = before;
  if (first === undefined) return [...commands.map((one) => one.name.split(' ')[0] ?? ''), ...toolsets, 'help'];
  if (first === 'help') return all(before.slice(1), last, line);
  const flag = before.at(-1);
  const operations = (await loadCatalogue()).operations;
  const operation = isToolset(first)
    ? operations.find((one) => one.toolsets.includes(first) && commandName(one) === second)
    : undefined;
  if (flag?.startsWith('--') === true && !last.startsWith('-')) {
    const choices = operation === undefined ? [] : choicesOf(operation, flag);
    return choices.length > 0 ? choices : values(valueOfFlag[flag], flags);
  }
  if (last.startsWith('-')) return flagsOf(before, operation, commands);
  const inner = commands.filter((one) => one.name.startsWith(`${first} `)).map((one) => one.name.split(' ')[1] ?? '');
  if (second === undefined && (isToolset(first) || inner.length > 0))
    return [
      ...inner,
      ...(isToolset(first) ? operations.filter((one) => one.toolsets.includes(first)).map(commandName) : []),
    ];
  return values(valueOfCommand[before.slice(0, 2).join(' ')] ?? valueOfCommand[first], flags);
}

async function flagsOf(
  before: readonly string[],
  operation: Operation | undefined,
  commands: Line['commands'],
): Promise<readonly string[]> {
  const everywhere = ['--json', '--help', '--lang', '--project', '--run-id', '--no-color'];
  const known =
    commands.find((one) => one.name === before.slice(0, 2).join(' ')) ?? commands.find((one) => one.name === before[0]);
  const own = operation === undefined ? ((await known?.load())?.options ?? {}) : optionsOf(operation);
  return [...Object.keys(own).map((one) => `--${one}`), ...everywhere];
}

type Value = 'process' | 'run' | 'event' | 'waiting' | 'task' | 'agent' | 'role' | 'shell' | 'client';

const valueOfFlag: Readonly<Record<string, Value | undefined>> = {
  '--process-id': 'process',
  '--run-id': 'run',
  '--event-name': 'event',
  '--task-id': 'task',
  '--agent-id': 'agent',
  '--role-id': 'role',
};

const valueOfCommand: Readonly<Record<string, Value | undefined>> = {
  start: 'process',
  'gate graph': 'process',
  'gate use': 'run',
  submit: 'event',
  approve: 'waiting',
  abort: 'run',
  reject: 'waiting',
  log: 'run',
  completion: 'shell',
  run: 'client',
};

/** The operation that lists them, the list's name in its answer, and the field. */
const sources: Readonly<Partial<Record<Value, readonly [operation: string, list: string, field: string]>>> = {
  process: ['state_gate.list_processes', 'processes', 'process_id'],
  run: ['state_gate.list_runs', 'runs', 'run_id'],
  event: ['state_gate.list_events', 'events', 'event_name'],
  waiting: ['list_waiting', 'waiting', 'run_id'],
  task: ['list_tasks', 'tasks', 'task_id'],
  agent: ['list_agents', 'agents', 'agentId'],
  role: ['list_roles', 'roles', 'id'],
};

async function values(value: Value | undefined, flags: Flags): Promise<readonly string[]> {
  if (value === 'shell') return ['bash', 'zsh', 'fish'];
  if (value === 'client') return (await import('../../fleet/agents.ts')).agents.map((one) => one.id);
  const source = value === undefined ? undefined : sources[value];
  if (source === undefined) return [];
  const [name, list, field] = source;
  const operation = (await loadCatalogue()).operations.find((one) => one.name === name);
  if (operation === undefined) return [];
  const app = createApp({ ...(await configure(flags)), logLevel: 0 });
  try {
    const answer = await invoke(app, await app.context({}), operation, {});
    const rows = answer.ok ? ((answer.output[list] ?? []) as readonly JsonObject[]) : [];
    return rows.map((row) => String(row[field]));
  } finally {
    await app.close();
  }
}

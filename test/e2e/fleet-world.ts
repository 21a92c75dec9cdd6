import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { DatabaseSync } from '@photostructure/sqlite';
import { processes } from '../setup/processes.ts';
import { until } from '../setup/until.ts';
import { type World, node } from './world.ts';

export const fixtures = join(import.meta.dirname, '../fixtures/agents');

export type Step = Readonly<Record<string, unknown>>;

/** A prompt for the scripted agent. */
export function steps(...list: readonly Step[]): string {
  return JSON.stringify(list);
}

export type AgentState = Record<string, any>;

/** A world with the fixture programs as roles. */
export function furnish(world: World, more = '', fleet = 'maxConcurrent: 6'): void {
  const names = readdirSync(fixtures)
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => name.slice(0, -4));
  const roles = names.map(
    (name) => `  - { id: ${name}, cli: command, command: ["${node}", "${join(fixtures, `${name}.mjs`)}"] }`,
  );
  world.write('.sekisho/config.yaml', `fleet: { ${fleet} }\nroles:\n${roles.join('\n')}\n${more}`);
}

export async function group(world: World, mode?: string): Promise<string> {
  const { value } = await world.call('create_group', { description: 'a test', ...(mode && { mode }) });
  return value['groupId'] as string;
}

/** Starts agents of one role, each with its prompt, in a group of their own; returns their ids. */
export async function start(world: World, role: string, ...prompts: readonly string[]): Promise<string[]> {
  const groupId = await group(world);
  const agents = prompts.map((prompt) => ({ role, prompt }));
  const { value, text } = await world.call('run_agents', { groupId, agents });
  if (value['agents'] === undefined) throw new Error(text);
  return value['agents'].map((one: AgentState) => one['agentId'] as string);
}

export async function status(world: World, agentId: string): Promise<AgentState> {
  return (await world.call('get_agent_status', { agentId })).value;
}

/** The agents when all of them have ended. */
export async function ended(world: World, ids: readonly string[], client?: Client): Promise<AgentState[]> {
  // Asked again and again: a client gives an answer up after a minute.
  const value = await until(
    'all have ended',
    async () => (await world.call('wait_agent', { agentIds: ids, timeout_ms: 25_000 }, client)).value,
    (one) => one['timedOut'] === false,
  );
  return value['completed'] as AgentState[];
}

/** The number of an agent's heartbeats. Nothing shows it to people, so it is read from the database (SQLite). */
export function beatsOf(world: World, id: string): number {
  const db = new DatabaseSync(world.db, { readOnly: true });
  try {
    const row = db.prepare('select beat from fleet_agent where id = ?').get(id) as { beat: number } | undefined;
    return row?.beat ?? 0;
  } finally {
    db.close();
  }
}

export const running = (world: World, id: string) =>
  until(
    'it runs',
    () => status(world, id),
    (one) => one['status'] === 'running',
  );

/** The child's own words are proof that it runs: its state says so a moment earlier. */
export const printed = (world: World, agentId: string) =>
  until(
    'it has printed',
    async () => (await world.call('get_agent_log', { agentId })).value['lines'] as string[],
    (lines) => lines.length > 0,
  );

export const hostsOf = (id: string) => processes(({ command }) => command.includes(` host ${id}`));
export const childrenOf = (id: string) =>
  processes(({ environment }) => environment.split('\0').includes(`SEKISHO_AGENT_ID=${id}`));

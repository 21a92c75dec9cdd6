import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import type { World } from './world.ts';
import { node } from './world.ts';

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
  const { value } = await world.call('wait_agent', { agentIds: ids, timeout_ms: 25_000 }, client);
  if (value['timedOut'] !== false) throw new Error(`still pending: ${JSON.stringify(value['pending'])}`);
  return value['completed'] as AgentState[];
}

export async function until<T>(look: () => Promise<T> | T, wanted: (found: T) => boolean, ms = 20_000): Promise<T> {
  const deadline = Date.now() + ms;
  for (;;) {
    const found = await look();
    if (wanted(found)) return found;
    if (Date.now() > deadline) throw new Error(`it never came to be: ${JSON.stringify(found)}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

export const running = (world: World, id: string) =>
  until(
    () => status(world, id),
    (one) => one['status'] === 'running',
  );

/** The child's own words are proof that it runs: its state says so a moment earlier. */
export const printed = (world: World, agentId: string) =>
  until(
    async () => (await world.call('get_agent_log', { agentId })).value['lines'] as string[],
    (lines) => lines.length > 0,
  );

export interface Found {
  readonly pid: number;
  readonly command: string;
  readonly environment: string;
}

/** Processes of this machine that the predicate knows by their command line or environment. */
export function processes(wanted: (found: Found) => boolean): Found[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      const read = (file: string) => {
        try {
          return readFileSync(`/proc/${name}/${file}`, 'latin1');
        } catch {
          return '';
        }
      };
      return { pid: Number(name), command: read('cmdline').replaceAll('\0', ' '), environment: read('environ') };
    })
    .filter(wanted);
}

export const hostsOf = (id: string) => processes(({ command }) => command.includes(` host ${id}`));
export const childrenOf = (id: string) =>
  processes(({ environment }) => environment.split('\0').includes(`SEKISHO_AGENT_ID=${id}`));

export function alive(pid: number): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return false;
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
}

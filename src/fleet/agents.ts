import { join } from 'node:path';
import type { AgentMarks } from '../kernel/agent-marks.ts';
import type { Environment } from '../base/environment.ts';
import { isJsonObject } from '../base/json-object.ts';
import type { AgentCli, AgentClient } from './agent-cli.ts';
import type { AgentHook } from './agent-hook.ts';
import { amp } from './agent/amp.ts';
import { claude } from './agent/claude.ts';
import { codex } from './agent/codex.ts';
import { command } from './agent/command.ts';
import { copilot } from './agent/copilot.ts';
import { cursor } from './agent/cursor.ts';
import { gemini } from './agent/gemini.ts';
import { opencode } from './agent/opencode.ts';
import { qwen } from './agent/qwen.ts';
import { vscode } from './agent/vscode.ts';

/** Every agent CLI that we can start. To add one, add a file in `agent/` and a line here. */
export const agents: readonly AgentCli[] = [claude, codex, cursor, gemini, opencode, copilot, qwen, command];

/** Applications in which a person starts agents. They call our hook as the CLIs do, but we cannot start them. */
const applications: readonly AgentClient[] = [vscode];

/** Every client in which agents work. */
export const agentClients: readonly AgentClient[] = [...agents, ...applications];

/** Marks that distinguish agents from people, including agents that we cannot start. */
export const agentMarks: readonly AgentMarks[] = [...agentClients, amp];

export type HookedClient = AgentClient & { readonly hook: AgentHook };

/** Clients that call a hook before they use a tool. */
export const hookedAgents: readonly HookedClient[] = agentClients.filter(
  (one): one is HookedClient => one.hook !== undefined,
);

/** Variables in which clients give their child processes the project folder. */
export const projectFolders: readonly string[] = hookedAgents.flatMap((one) => one.hook.projectFolder ?? []);

const homeFolders = agents.flatMap(({ places }) => places?.home ?? []);

/** Variables that say where clients keep their user's files. */
export const homeVariables: readonly string[] = homeFolders.flatMap((one) => one.variable ?? []);

/** A folder that a variable names in place of one in the user's home. */
export interface MovedFolder {
  readonly folder: string;
  readonly insteadOf: string;
}

export function movedFolders(env: Environment): readonly MovedFolder[] {
  return homeFolders.flatMap(({ path, variable, below = '' }) => {
    const said = variable === undefined ? undefined : env[variable];
    return said ? [{ folder: join(said, below), insteadOf: path }] : [];
  });
}

export function findHookedAgent(id: string): HookedClient | undefined {
  return hookedAgents.find((one) => one.id === id);
}

/** Returns the client that called the hook: it may have run the command in another client's hook file. */
export function findAskingAgent(entry: HookedClient, raw: unknown): HookedClient {
  if (!isJsonObject(raw)) return entry;
  const asks = ({ hook: { sharedFiles } }: HookedClient) =>
    sharedFiles?.clients.includes(entry.id) === true && sharedFiles.isOwn(raw);
  return hookedAgents.find(asks) ?? entry;
}

/** Finds an application by the name a person typed to start it. */
export function findApplication(word: string): AgentClient | undefined {
  return applications.find(({ id, program, otherNames = [] }) => [id, program, ...otherNames].includes(word));
}

/** Whether roles of this CLI name their program themselves. */
export function namesProgram(id: string | undefined): boolean {
  return agents.some((one) => one.id === id && one.program === undefined);
}

/** Names the program may have; for `command` the role names it. */
export function programNames(cli: AgentCli, line: readonly string[] | undefined): readonly string[] {
  return cli.program === undefined ? [line?.[0] ?? ''] : [cli.program, ...(cli.otherNames ?? [])];
}

export function findAgentCli(id: string): AgentCli {
  const found = agents.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no agent CLI "${id}"`);
  return found;
}

/** Variables in which agent CLIs name their session. A hook needs them to know its session. */
export const sessionVariables: readonly string[] = agentClients
  .flatMap((one) => one.environment.session)
  .filter((name) => !name.endsWith('*'));

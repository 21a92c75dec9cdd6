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

/** Every agent CLI that we can start. Adding one is a file in `agent/` and its line here. */
export const agents: readonly AgentCli[] = [claude, codex, cursor, gemini, opencode, copilot, qwen, command];

/** Applications in which a person starts agents: they ask us as the CLIs do, and we cannot start them. */
const applications: readonly AgentClient[] = [vscode];

/** Every client in which agents work. */
export const agentClients: readonly AgentClient[] = [...agents, ...applications];

/** By what agents are told from people: those that we cannot start are known too. */
export const agentMarks: readonly AgentMarks[] = [...agentClients, amp];

export type HookedClient = AgentClient & { readonly hook: AgentHook };

/** Those that ask before they use a tool. */
export const hookedAgents: readonly HookedClient[] = agentClients.filter(
  (one): one is HookedClient => one.hook !== undefined,
);

/** The variables in which they tell what they start where the project is. */
export const projectFolders: readonly string[] = hookedAgents.flatMap((one) => one.hook.projectFolder ?? []);

const homeFolders = agents.flatMap(({ places }) => places?.home ?? []);

/** The variables that say where they keep the files of their user. */
export const homeVariables: readonly string[] = homeFolders.flatMap((one) => one.variable ?? []);

/** A folder that stands in place of one in the user's home. */
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

/** The client that asks. One that reads another client's hook file runs that client's command, with questions of its own. */
export function findAskingAgent(entry: HookedClient, raw: unknown): HookedClient {
  if (!isJsonObject(raw)) return entry;
  const asks = ({ hook: { sharedFiles } }: HookedClient) =>
    sharedFiles?.clients.includes(entry.id) === true && sharedFiles.isOwn(raw);
  return hookedAgents.find(asks) ?? entry;
}

/** The application that somebody means who wants it started. */
export function findApplication(word: string): AgentClient | undefined {
  return applications.find(({ id, program, otherNames = [] }) => [id, program, ...otherNames].includes(word));
}

/** Whether a role of this CLI names its program itself. */
export function namesProgram(id: string | undefined): boolean {
  return agents.some((one) => one.id === id && one.program === undefined);
}

/** What its program may be called; the role names that of a `command`. */
export function programNames(cli: AgentCli, line: readonly string[] | undefined): readonly string[] {
  return cli.program === undefined ? [line?.[0] ?? ''] : [cli.program, ...(cli.otherNames ?? [])];
}

export function findAgentCli(id: string): AgentCli {
  const found = agents.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no agent CLI "${id}"`);
  return found;
}

/** By which agent CLIs name their session: a hook must see which it belongs to. */
export const sessionVariables: readonly string[] = agentClients
  .flatMap((one) => one.environment.session)
  .filter((name) => !name.endsWith('*'));

import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { withoutSessions } from '../../kernel/agent-marks.ts';
import { packagePath } from '../../base/package.ts';
import { agentMarks } from '../agents.ts';
import { type Tree, apartMarker } from '../../machine/tree.ts';
import type { Environment } from '../../base/environment.ts';

/** The variable that marks every process of an agent, and every process those start. */
export const agentMarker = 'SEKISHO_AGENT_ID';

/** Describes an agent's process tree: its program, which leads its own process group, and everything below it. */
export function agentTree(agentId: string, root: Tree['root']): Tree {
  return { mark: { name: agentMarker, value: agentId }, root };
}

/** What a host gets from its starter, through a pipe: the database's address may contain a password. */
export interface Ticket {
  readonly agentId: string;
  readonly db: string;
  readonly lang: 'en' | 'ja';
  /** The folder with the log for errors that a host cannot put into the store. */
  readonly state: string;
  /** Variables for the child that are stored nowhere. */
  readonly secrets?: Readonly<Record<string, string>>;
}

/** Variables that we set for one agent. */
const ofOneAgent =
  /^(SEKISHO_(TOKEN|ENV_FILE|ROLE|RUN_ID|TOOLSETS|FLEET_HOST|UPSTREAM|DB|PROJECT|PROJECT_KEY)|AGENT_(ID|PASSKEY)|PROJECT_ID|MCP_UPSTREAM)$/;

/** Removes the variables of one agent, and the marks by which agent CLIs detect that they run inside another. */
export function withoutMarks(env: Environment): Environment {
  return Object.fromEntries(
    Object.entries(withoutSessions(agentMarks, env)).filter(([name]) => !ofOneAgent.test(name)),
  );
}

/** Starts a host that outlives this process. Starting one too many is harmless: each host claims its agent. */
export function spawnHost(ticket: Ticket, env: Environment): Promise<void> {
  const errors = openErrors(ticket.state);
  return new Promise<void>((resolve, reject) => {
    const child = spawn(process.execPath, [packagePath('bin', 'sekisho'), 'host', ticket.agentId], {
      // The host has its own session, so neither Ctrl-C nor the end of the server's process group reaches it. An agent
      // that another agent starts is independent, so its host is also outside the starter's process tree.
      detached: true,
      cwd: '/',
      env: { ...withoutMarks(env), [apartMarker]: ticket.agentId, [agentMarker]: undefined },
      stdio: ['pipe', 'ignore', errors ?? 'ignore'],
    });
    child.once('error', reject);
    child.stdin?.once('error', reject);
    child.stdin?.end(JSON.stringify(ticket), () => {
      child.unref();
      resolve();
    });
  }).finally(() => {
    if (errors !== undefined) closeSync(errors);
  });
}

const mostErrorBytes = 1024 * 1024;

function openErrors(state: string): number | undefined {
  try {
    const file = join(state, 'logs', 'host.log');
    mkdirSync(join(state, 'logs'), { recursive: true, mode: 0o700 });
    const large = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > mostErrorBytes;
    return openSync(file, large ? 'w' : 'a', 0o600);
  } catch {
    return undefined; // An agent runs even if its error log cannot be written.
  }
}

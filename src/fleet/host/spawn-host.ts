import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { withoutSessions } from '../../kernel/agent-marks.ts';
import { packagePath } from '../../base/package.ts';
import { agentMarks } from '../agents.ts';
import { apartMarker } from '../../machine/tree.ts';
import { agentMarker } from './agent-tree.ts';
import type { Environment } from '../../base/environment.ts';

/** Everything a host is told. It travels through a pipe: the database's address may hold a password. */
export interface Ticket {
  readonly agentId: string;
  readonly db: string;
  readonly lang: 'en' | 'ja';
  /** What a host cannot put into the store goes to a log here. */
  readonly state: string;
  /** Variables for the child that are kept nowhere. */
  readonly secrets?: Readonly<Record<string, string>>;
}

/** What we ourselves tell one agent. */
const ofOneAgent =
  /^(SEKISHO_(TOKEN|ENV_FILE|ROLE|RUN_ID|TOOLSETS|FLEET_HOST|UPSTREAM|DB|PROJECT|PROJECT_KEY)|AGENT_(ID|PASSKEY)|PROJECT_ID|MCP_UPSTREAM)$/;

/**
 * What marks the surroundings of one agent must not reach another: whose it is, and the marks by which agent CLIs notice
 * that they run inside one another.
 */
export function withoutMarks(env: Environment): Environment {
  return Object.fromEntries(
    Object.entries(withoutSessions(agentMarks, env)).filter(([name]) => !ofOneAgent.test(name)),
  );
}

/** Starts a host that outlives this process. It claims its agent itself, so one too many does no harm. */
export function spawnHost(ticket: Ticket, env: Environment): Promise<void> {
  const errors = openErrors(ticket.state);
  return new Promise<void>((resolve, reject) => {
    const child = spawn(process.execPath, [packagePath('bin', 'sekisho'), 'host', ticket.agentId], {
      // Of its own session: neither Ctrl-C nor the end of the server's group reaches it. Agents that an agent starts are
      // agents of their own, so it is apart from the tree of whoever started it too.
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
    return undefined; // A log that cannot be written must not keep an agent from running.
  }
}

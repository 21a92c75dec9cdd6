import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AgentClient } from '../fleet/agent-cli.ts';
import { agentClients } from '../fleet/agents.ts';
import { problem as kernelProblem } from '../kernel/problem.ts';
import { findFirst } from '../machine/find-program.ts';
import type { Draft } from './draft.ts';
import type { Client } from './client.ts';
import { type Calling, invocations } from './invocation.ts';
import { keepAddress } from './inspect-setup.ts';
import { type Part, withPart } from './setup-part.ts';
import { unknownChoice } from '../kernel/setting.ts';

export interface InstalledClient {
  readonly client: string;
  readonly written: readonly string[];
  readonly unchanged: readonly string[];
  /** Files of the project from which the part of an earlier version was removed. */
  readonly withdrawn: readonly string[];
}

/** The clients that ask us before each tool call. */
export const clients: readonly Client[] = agentClients.filter(
  (one): one is AgentClient & Client => one.setup !== undefined,
);

/** Applications that start our server but have no hooks: the gate decides about transitions, not about their tools. */
const editors: readonly Client[] = [
  {
    id: 'claude-desktop',
    program: undefined,
    setup: (call) => [
      {
        path: join(desktopFolder(call.home('.config', 'XDG_CONFIG_HOME')), 'claude_desktop_config.json'),
        // Claude Desktop starts servers in no particular folder.
        json: { mcpServers: { sekisho: { ...call.mcp, args: [...call.mcp.args, '--project', call.tree] } } },
      },
    ],
    trust: {
      en: 'Restart Claude Desktop. It has no hooks, so its own tools are not restricted; transitions are still checked. It works with one project, the last one that was prepared.',
      ja: 'Claude Desktop を再起動してください。フックは呼ばれないため、Claude Desktop 自身のツールは止められません。遷移の判定は行われます。対象は最後に準備したプロジェクト 1 つだけです。',
    },
  },
];

function desktopFolder(configuration: string): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library/Application Support/Claude');
  return join(process.platform === 'win32' ? join(homedir(), 'AppData/Roaming') : configuration, 'Claude');
}

export const everyClient: readonly Client[] = [...clients, ...editors];

export function clientsOf(given: unknown): readonly Client[] {
  const words = [given].flat().filter((one) => typeof one === 'string');
  return words.map((word) => {
    const client = everyClient.find((one) => one.id === word);
    if (client !== undefined) return client;
    const known = everyClient.map((one) => one.id);
    throw kernelProblem.BAD_CONFIGURATION({ file: '--client', reason: unknownChoice(word, known) });
  });
}

/** Whether a client is installed: its program is on the PATH or, for a client without one, its configuration folder exists. */
export function isInstalled(client: Client, calling: Calling): boolean {
  const names = client.program === undefined ? [] : [client.program, ...(client.otherNames ?? [])];
  if (names.length > 0) return findFirst(names, calling.env['PATH'] ?? '', calling.tree) !== undefined;
  return client.setup(invocations(client.id, calling)).some(({ path }) => existsSync(dirname(path)));
}

/** The parts of files that connect a client to our server and make it ask us before each tool call. */
export function partsOf(client: Client, calling: Calling, trustFolder: boolean): readonly Part[] {
  const call = invocations(client.id, calling);
  const files = [
    ...client.setup(call).flatMap(keepAddress),
    ...(trustFolder ? (client.trustFolder?.(call) ?? []) : []),
  ];
  return files.map((file) => ({ ...file, client: client.id }));
}

/** Writes parts into the draft. Returns the paths of the files that change. */
export function putParts(draft: Draft, parts: readonly Part[]): readonly string[] {
  const written = parts.filter((part) => {
    const before = draft.read(part.path)?.toString();
    const after = withPart(part, before);
    if (after === before) return false;
    draft.write(part.path, Buffer.from(after));
    return true;
  });
  return [...new Set(written.map((one) => one.path))];
}

export function describeInstalled(
  client: Client,
  parts: readonly Part[],
  written: readonly string[],
  former: readonly Part[],
): InstalledClient {
  const paths = [...new Set(parts.map((one) => one.path))];
  const unchanged = paths.filter((one) => !written.includes(one));
  const withdrawn = former.filter((one) => one.client === client.id).map((one) => one.path);
  return { client: client.id, written, unchanged, withdrawn };
}

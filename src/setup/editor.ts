import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Client } from './client.ts';

/** Applications that start our server but have no hooks: the gate decides about transitions, not about their tools. */
export const editors: readonly Client[] = [
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

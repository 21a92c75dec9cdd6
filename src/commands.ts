import type { CommandEntry } from './command.ts';

/** Every command beside the operations. Loaded only when it is called: each start pays for what it uses. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'init',
    summary: 'Prepare this folder: .sekisho/ with a configuration and a place for processes',
    load: async () => (await import('./command/init.ts')).init,
  },
  {
    name: 'up',
    summary: 'Start the daemon: MCP over HTTP on loopback',
    load: async () => (await import('./command/up.ts')).up,
  },
  { name: 'mcp', summary: 'Serve one MCP client over stdio', load: async () => (await import('./command/mcp.ts')).mcp },
];

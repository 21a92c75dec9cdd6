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
  {
    name: 'hook',
    summary: 'Answer one hook of an agent CLI: its JSON on stdin, the decision on stdout',
    load: async () => (await import('./command/hook.ts')).hook,
  },
  {
    name: 'trust',
    summary: 'Let the command guards of a definition file run',
    load: async () => (await import('./command/trust.ts')).trust,
  },
  {
    name: 'gate lint',
    summary: 'Report every problem of process definitions at once',
    load: async () => (await import('./command/gate-lint.ts')).gateLint,
  },
  {
    name: 'gate graph',
    summary: 'Draw a process as Mermaid or DOT',
    load: async () => (await import('./command/gate-graph.ts')).gateGraph,
  },
  {
    name: 'gate use',
    summary: 'Make a run the current one of the project',
    load: async () => (await import('./command/gate-use.ts')).gateUse,
  },
  {
    name: 'journal list',
    summary: 'The timeline of the project: who did what, newest last',
    load: async () => (await import('./command/journal-list.ts')).journalList,
  },
  {
    name: 'journal verify',
    summary: 'Prove that no row of any run was changed, added or removed by hand',
    load: async () => (await import('./command/journal-verify.ts')).journalVerify,
  },
];

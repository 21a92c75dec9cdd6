import { join } from 'node:path';
import type { AgentCli, StreamReader } from '../agent-cli.ts';
import { jsonLine } from '../shape/line.ts';
import { streamJsonReader } from '../shape/stream-json.ts';

/** Any program: prompt on stdin, `SEKISHO_MCP_CONFIG` in its environment, its exit code decides. */
export const command: AgentCli = {
  id: 'command',
  // Our own host sets the mark for every agent that it starts, whatever the program does.
  environment: {
    marks: ['SEKISHO_AGENT_ID'],
    session: ['SEKISHO_AGENT_ID', 'SEKISHO_MCP_CONFIG', 'SEKISHO_PERMISSIONS'],
  },
  clientName: undefined,
  program: undefined,
  install: {
    en: 'install the program that the role names, or correct its `command`',
    ja: 'ロールに書かれたプログラムをインストールするか、`command` を直してください',
  },
  capabilities: { model: false, tokens: false, cost: false },
  invoke({ command: program = [], prompt, systemPrompt, folder, server, permissions }) {
    return {
      args: program.slice(1),
      // Nothing but a sandbox could make a program obey: it is told.
      env: { SEKISHO_MCP_CONFIG: join(folder, 'mcp.json'), SEKISHO_PERMISSIONS: permissions },
      files: { 'mcp.json': JSON.stringify({ mcpServers: { sekisho: server } }, null, 2) },
      stdin: systemPrompt === undefined ? prompt : `${systemPrompt}\n\n${prompt}`,
    };
  },
  reader,
};

/** A line in the shape of Claude's stream-json is read as such, any other line is text. */
function reader(): StreamReader {
  const stream = streamJsonReader();
  return {
    read(line) {
      if (typeof jsonLine(line)?.['type'] === 'string') return stream.read(line);
      return line.trim() === '' ? [] : [{ kind: 'line', text: line.trimEnd() }];
    },
  };
}

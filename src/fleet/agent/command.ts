import { join } from 'node:path';
import type { AgentCli, StreamReader } from '../agent-cli.ts';
import { jsonLine } from '../shape/line.ts';
import { streamJsonReader } from '../shape/stream-json.ts';

/** Any program: it gets the prompt on stdin and `SEKISHO_MCP_CONFIG` in its environment; its exit code decides. */
export const command: AgentCli = {
  id: 'command',
  // Our host sets this mark for every agent that it starts.
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
  choosesModel: false,
  invoke({ command: program = [], prompt, systemPrompt, folder, server, permissions }) {
    return {
      args: program.slice(1),
      // Only a sandbox could enforce permissions on an arbitrary program, so they are passed as information.
      env: { SEKISHO_MCP_CONFIG: join(folder, 'mcp.json'), SEKISHO_PERMISSIONS: permissions },
      files: { 'mcp.json': JSON.stringify({ mcpServers: { sekisho: server } }, null, 2) },
      stdin: systemPrompt === undefined ? prompt : `${systemPrompt}\n\n${prompt}`,
    };
  },
  reader,
};

/** Reads a line in Claude's stream-json format as such, and any other line as text. */
function reader(): StreamReader {
  const stream = streamJsonReader();
  return {
    read(line) {
      if (typeof jsonLine(line)?.['type'] === 'string') return stream.read(line);
      return line.trim() === '' ? [] : [{ kind: 'line', text: line.trimEnd() }];
    },
  };
}

import { join } from 'node:path';
import type { AgentCli } from '../agent-cli.ts';
import { streamJsonReader } from '../stream-json.ts';

/** Named instead of `--dangerously-skip-permissions`, which refuses to run as root. */
const everyTool = 'Bash,Edit,MultiEdit,Write,NotebookEdit,Read,Glob,Grep,LS,WebFetch,WebSearch,Task,TodoWrite,Skill';

export const claude: AgentCli = {
  id: 'claude',
  binary: 'claude',
  install: 'npm install -g @anthropic-ai/claude-code',
  capabilities: { model: true, tokens: true, cost: true },
  invoke({ model, permissions, prompt, systemPrompt, folder, server }) {
    const config = join(folder, 'mcp.json');
    const system = join(folder, 'system-prompt.txt');
    const tools = permissions === 'full' ? `${everyTool},mcp__sekisho` : 'mcp__sekisho';
    return {
      args: [
        '-p',
        '--output-format',
        'stream-json',
        '--verbose',
        '--permission-mode',
        'acceptEdits',
        '--allowedTools',
        tools,
        '--mcp-config',
        config,
        ...(model === undefined ? [] : ['--model', model]),
        ...(systemPrompt === undefined ? [] : ['--append-system-prompt-file', system]),
      ],
      // Its tools are few and the first one must be found without a search.
      env: { ENABLE_TOOL_SEARCH: 'false' },
      files: {
        'mcp.json': JSON.stringify({ mcpServers: { sekisho: { type: 'stdio', ...server } } }, null, 2),
        ...(systemPrompt !== undefined && { 'system-prompt.txt': systemPrompt }),
      },
      stdin: prompt,
    };
  },
  reader: streamJsonReader,
};

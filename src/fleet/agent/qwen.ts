import { join } from 'node:path';
import type { AgentCli } from '../agent-cli.ts';
import { streamJsonReader } from '../stream-json.ts';

export const qwen: AgentCli = {
  id: 'qwen',
  binary: 'qwen',
  install: 'npm install -g @qwen-code/qwen-code',
  capabilities: { model: true, tokens: true, cost: false },
  invoke({ model, permissions, prompt, systemPrompt, folder, server }) {
    const config = join(folder, 'mcp.json');
    return {
      args: [
        '--output-format',
        'stream-json',
        '--approval-mode',
        permissions === 'full' ? 'yolo' : 'auto-edit',
        '--mcp-config',
        config,
        ...(model === undefined ? [] : ['--model', model]),
      ],
      env: {},
      files: { 'mcp.json': JSON.stringify({ mcpServers: { sekisho: { ...server, trust: true } } }, null, 2) },
      stdin: systemPrompt === undefined ? prompt : `${systemPrompt}\n\n${prompt}`,
    };
  },
  // Before 0.24 it ended with code 0 and `is_error: false` after an HTTP error; nothing in the stream tells.
  reader: streamJsonReader,
};

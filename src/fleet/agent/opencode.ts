import { join } from 'node:path';
import type { Plain } from '../../kernel/plain.ts';
import { textOf } from '../../kernel/plain.ts';
import type { AgentCli, Fact, StreamReader } from '../agent-cli.ts';
import { jsonLine, number, object, usageOf } from '../shape/line.ts';

export const opencode: AgentCli = {
  id: 'opencode',
  environment: { marks: ['OPENCODE'], session: ['OPENCODE'] },
  clientName: /opencode/i,
  program: 'opencode',
  install: 'npm install -g opencode-ai',
  capabilities: { model: true, tokens: true, cost: true },
  places: {
    project: { folders: ['.opencode'], files: { 'opencode.json': '{}\n', 'opencode.jsonc': '{}\n' } },
    home: [
      {
        path: '.config/opencode',
        fixed: {
          folders: ['plugin', 'plugins', 'agent', 'agents', 'command', 'commands', 'tool', 'tools', 'skills'],
          files: { 'opencode.json': '{}\n', 'opencode.jsonc': '{}\n', 'config.json': '{}\n', 'AGENTS.md': '' },
        },
        shared: [],
        seeds: {},
      },
      { path: '.local/share/opencode', fixed: { folders: ['bin'], files: {} }, shared: ['auth.json'], seeds: {} },
      { path: '.local/state/opencode', fixed: { folders: [], files: {} }, shared: [], seeds: {} },
    ],
  },
  invoke({ model, permissions, prompt, systemPrompt, folder, server }) {
    const config = join(folder, 'opencode.json');
    const entry = { type: 'local', command: [server.command, ...server.args], environment: server.env, enabled: true };
    return {
      args: [
        'run',
        '--format',
        'json',
        ...(permissions === 'full' ? ['--auto'] : []),
        ...(model === undefined ? [] : ['--model', model]),
      ],
      env: { OPENCODE_CONFIG: config },
      files: { 'opencode.json': JSON.stringify({ mcp: { sekisho: entry } }, null, 2) },
      stdin: systemPrompt === undefined ? prompt : `${systemPrompt}\n\n${prompt}`,
    };
  },
  reader,
  setup: ({ mcp }) => [
    {
      path: 'opencode.json',
      json: { mcp: { sekisho: { type: 'local', command: [mcp.command, ...mcp.args], enabled: true } } },
    },
  ],
};

/** One event for each finished call; tokens and cost stand in each step and are to be added. */
function reader(): StreamReader {
  let known = false;
  let begun: number | undefined;

  function time(line: Plain): Fact[] {
    const at = number(line['timestamp']);
    begun ??= at;
    return at === undefined || begun === undefined ? [] : [{ kind: 'duration', ms: at - begun }];
  }

  return {
    read(raw) {
      const line = jsonLine(raw);
      if (line === undefined) return [];
      const facts: Fact[] = [];
      const id = textOf(line['sessionID']);
      if (!known && id !== undefined) facts.push({ kind: 'session', id });
      known ||= id !== undefined;
      const part = object(line['part']);
      if (line['type'] === 'tool_use') facts.push(...used(part));
      if (line['type'] === 'text' && textOf(part['text']) !== undefined)
        facts.push({ kind: 'text', text: String(part['text']) });
      if (line['type'] === 'step_finish') facts.push({ kind: 'usage', usage: stepUsage(part), step: true });
      if (line['type'] === 'error') {
        const error = object(line['error']);
        facts.push({ kind: 'error', message: textOf(object(error['data'])['message']) ?? String(error['name']) });
      }
      return [...facts, ...time(line)];
    },
  };
}

function used(part: Plain): Fact[] {
  const name = textOf(part['tool']) ?? 'unknown';
  const state = object(part['state']);
  const facts: Fact[] = [{ kind: 'tool', name }];
  const path = textOf(object(state['input'])['filePath']);
  if (state['status'] !== 'completed' || path === undefined) return facts;
  if (name === 'write')
    facts.push({ kind: 'file', path, change: object(state['metadata'])['exists'] === false ? 'created' : 'edited' });
  if (name === 'edit') facts.push({ kind: 'file', path, change: 'edited' });
  return facts;
}

function stepUsage(part: Plain) {
  const tokens = object(part['tokens']);
  return usageOf({
    inputTokens: number(tokens['input']),
    outputTokens: number(tokens['output']),
    cachedTokens: number(object(tokens['cache'])['read']),
    costUsd: number(part['cost']),
  });
}

import type { AgentCli, Fact, StreamReader } from '../agent-cli.ts';
import { jsonLine, list, number, object, text } from '../agent-cli.ts';

export const cursor: AgentCli = {
  id: 'cursor',
  binary: 'cursor-agent',
  install: 'curl https://cursor.com/install -fsS | bash',
  capabilities: { model: true, tokens: false, cost: false },
  invoke({ model, permissions, prompt, systemPrompt, server, envFile }) {
    const entry = { ...server, env: { SEKISHO_ENV_FILE: '${env:SEKISHO_ENV_FILE}' } };
    return {
      args: [
        '-p',
        '--output-format',
        'stream-json',
        '--trust',
        '--approve-mcps',
        ...(permissions === 'full' ? ['--force'] : []),
        ...(model === undefined ? [] : ['--model', model]),
      ],
      env: { SEKISHO_ENV_FILE: envFile },
      files: {},
      // It takes MCP servers from no other place. The entry is the same for every agent: what differs stands in the environment.
      projectFiles: { '.cursor/mcp.json': `${JSON.stringify({ mcpServers: { sekisho: entry } }, null, 2)}\n` },
      stdin: systemPrompt === undefined ? prompt : `${systemPrompt}\n\n${prompt}`,
    };
  },
  reader,
};

/** Known from its documentation only. A failed run may end without a `result`; the reason is then on stderr. */
function reader(): StreamReader {
  return {
    read(raw) {
      const line = jsonLine(raw);
      if (line === undefined) return [];
      if (line['type'] === 'system' && line['subtype'] === 'init') {
        const id = text(line['session_id']);
        const model = text(line['model']);
        return [
          ...(id === undefined ? [] : [{ kind: 'session' as const, id }]),
          ...(model === undefined ? [] : [{ kind: 'model' as const, model }]),
        ];
      }
      if (line['type'] === 'assistant') return said(line);
      if (line['type'] === 'tool_call') return called(line);
      if (line['type'] === 'result') return ended(line);
      return [];
    },
  };
}

function said(line: Readonly<Record<string, unknown>>): Fact[] {
  // With partial output a flush repeats what was streamed.
  if (line['timestamp_ms'] !== undefined && line['model_call_id'] !== undefined) return [];
  return list(object(line['message'])['content'])
    .map((part) => text(part['text']))
    .filter((part) => part !== undefined)
    .map((part) => ({ kind: 'text', text: part }));
}

function called(line: Readonly<Record<string, unknown>>): Fact[] {
  const [entry] = Object.entries(object(line['tool_call']));
  if (entry === undefined) return [];
  const [kind, body] = entry;
  if (line['subtype'] === 'started')
    return [
      {
        kind: 'tool',
        name: kind === 'function' ? (text(object(body)['name']) ?? kind) : kind.replace(/ToolCall$/, ''),
      },
    ];
  const success = object(object(body)['result'])['success'];
  if (success === undefined) return [];
  const path = text(object(success)['path']) ?? text(object(object(body)['args'])['path']);
  if (path === undefined) return [];
  if (kind === 'writeToolCall') return [{ kind: 'file', path, change: 'created' }];
  if (kind === 'editToolCall') return [{ kind: 'file', path, change: 'edited' }];
  if (kind === 'deleteToolCall') return [{ kind: 'file', path, change: 'deleted' }];
  return [];
}

function ended(line: Readonly<Record<string, unknown>>): Fact[] {
  const answer = text(line['result']);
  const ms = number(line['duration_ms']);
  const facts: Fact[] = ms === undefined ? [] : [{ kind: 'duration', ms }];
  if (line['is_error'] === true) facts.push({ kind: 'error', message: answer ?? 'the agent reported an error' });
  else if (answer !== undefined) facts.push({ kind: 'answer', text: answer });
  return facts;
}

import { join } from 'node:path';
import type { AgentCli, Fact, StreamReader } from '../agent-cli.ts';
import { jsonLine, list, number, object, text } from '../agent-cli.ts';

export const copilot: AgentCli = {
  id: 'copilot',
  binary: 'copilot',
  install: 'npm install -g @github/copilot',
  capabilities: { model: true, tokens: false, cost: false },
  invoke({ model, permissions, prompt, systemPrompt, folder, server }) {
    const config = join(folder, 'mcp.json');
    const allowed =
      permissions === 'full' ? ['--allow-all-tools'] : ['--allow-tool', 'write', '--allow-tool', 'sekisho'];
    return {
      args: [
        '--output-format',
        'json',
        '--additional-mcp-config',
        `@${config}`,
        '--trust-folder',
        ...allowed,
        ...(model === undefined ? [] : ['--model', model]),
      ],
      env: {},
      files: {
        'mcp.json': JSON.stringify({ mcpServers: { sekisho: { type: 'local', tools: ['*'], ...server } } }, null, 2),
      },
      stdin: systemPrompt === undefined ? prompt : `${systemPrompt}\n\n${prompt}`,
    };
  },
  reader,
};

/** The session's id comes with the last line only; empty messages stand before tool calls. */
function reader(): StreamReader {
  let model: string | undefined;
  const open = new Map<string, string>();
  return {
    read(raw) {
      const line = jsonLine(raw);
      if (line === undefined) return [];
      const data = object(line['data']);
      const facts: Fact[] = [];
      const named = text(data['model']);
      if (named !== undefined && named !== model && String(line['type']).match(/^(session|assistant)\./))
        facts.push({ kind: 'model', model: named });
      model = named ?? model;
      switch (line['type']) {
        case 'assistant.message':
          if (text(data['content']) !== undefined) facts.push({ kind: 'text', text: String(data['content']) });
          break;
        case 'tool.execution_start':
          open.set(String(data['toolCallId']), text(data['toolName']) ?? 'unknown');
          facts.push({ kind: 'tool', name: text(data['toolName']) ?? 'unknown' });
          break;
        case 'tool.execution_complete':
          facts.push(...completed(data, open.get(String(data['toolCallId'])) ?? 'unknown'));
          break;
        case 'session.error':
          facts.push({ kind: 'error', message: text(data['message']) ?? 'the session failed' });
          break;
        case 'result':
          facts.push(...ended(Object.keys(data).length > 0 ? data : line));
          break;
        default:
      }
      return facts;
    },
  };
}

function completed(data: Readonly<Record<string, unknown>>, tool: string): Fact[] {
  if (data['success'] === false) return object(data['error'])['code'] === 'denied' ? [{ kind: 'denied', tool }] : [];
  const kinds: Readonly<Record<string, 'created' | 'edited' | 'deleted'>> = {
    create: 'created',
    add: 'created',
    delete: 'deleted',
  };
  return list(data['fileEdits']).flatMap((one): Fact[] => {
    const path = text(one['path']);
    return path === undefined ? [] : [{ kind: 'file', path, change: kinds[String(one['kind'])] ?? 'edited' }];
  });
}

function ended(result: Readonly<Record<string, unknown>>): Fact[] {
  const id = text(result['sessionId']);
  const usage = object(result['usage']);
  const ms = number(usage['sessionDurationMs']);
  const files = object(usage['codeChanges'])['filesModified'];
  return [
    ...(id === undefined ? [] : [{ kind: 'session' as const, id }]),
    ...(ms === undefined ? [] : [{ kind: 'duration' as const, ms }]),
    ...(Array.isArray(files) ? files : [])
      .filter((one): one is string => typeof one === 'string')
      .map((path) => ({ kind: 'file' as const, path, change: 'edited' as const })),
  ];
}

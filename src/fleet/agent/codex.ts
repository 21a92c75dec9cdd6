import type { AgentCli, Fact, StreamReader } from '../agent-cli.ts';
import { jsonLine, list, number, object, text, usageOf } from '../agent-cli.ts';

const toolItems = ['mcp_tool_call', 'command_execution', 'file_change', 'web_search'];
const changes: Readonly<Record<string, 'created' | 'edited' | 'deleted'>> = {
  add: 'created',
  update: 'edited',
  delete: 'deleted',
};

export const codex: AgentCli = {
  id: 'codex',
  binary: 'codex',
  install: 'npm install -g @openai/codex',
  capabilities: { model: true, tokens: true, cost: false },
  invoke({ model, permissions, prompt, systemPrompt, workingDirectory, server, envFile }) {
    const set = (key: string, value: unknown) => ['-c', `mcp_servers.sekisho.${key}=${JSON.stringify(value)}`];
    return {
      args: [
        'exec',
        '--json',
        '--skip-git-repo-check',
        '--color',
        'never',
        '-C',
        workingDirectory,
        ...(permissions === 'full'
          ? ['--dangerously-bypass-approvals-and-sandbox']
          : ['--sandbox', 'workspace-write', '-c', 'approval_policy="never"']),
        ...set('command', server.command),
        ...set('args', server.args),
        // A command line is everybody's to read: it names the file that holds the token.
        '-c',
        `mcp_servers.sekisho.env={SEKISHO_ENV_FILE=${JSON.stringify(envFile)}}`,
        '-c',
        'mcp_servers.sekisho.default_tools_approval_mode="approve"',
        ...(model === undefined ? [] : ['-m', model]),
        '-',
      ],
      env: {},
      files: {},
      stdin: systemPrompt === undefined ? prompt : `${systemPrompt}\n\n${prompt}`,
    };
  },
  reader,
};

/** An item of type `error` is only a warning; the process lingers for seconds after `turn.completed`, which is the end. */
function reader(): StreamReader {
  return {
    read(raw) {
      const line = jsonLine(raw);
      if (line === undefined) return [];
      switch (line['type']) {
        case 'thread.started': {
          const id = text(line['thread_id']);
          return id === undefined ? [] : [{ kind: 'session', id }];
        }
        case 'item.completed':
          return completed(object(line['item']));
        case 'turn.completed':
          return [{ kind: 'usage', usage: tokens(object(line['usage'])) }, { kind: 'end' }];
        case 'turn.failed':
          return [{ kind: 'error', message: message(object(line['error'])['message']) }, { kind: 'end' }];
        default:
          return [];
      }
    },
  };
}

function completed(item: Readonly<Record<string, unknown>>): Fact[] {
  const type = String(item['type']);
  if (type === 'agent_message') {
    const said = text(item['text']);
    return said === undefined ? [] : [{ kind: 'text', text: said }];
  }
  if (!toolItems.includes(type)) return [];
  const facts: Fact[] = [{ kind: 'tool', name: text(item['tool']) ?? type }];
  if (type === 'file_change' && item['status'] === 'completed')
    for (const one of list(item['changes'])) {
      const path = text(one['path']);
      if (path !== undefined) facts.push({ kind: 'file', path, change: changes[String(one['kind'])] ?? 'edited' });
    }
  return facts;
}

function tokens(usage: Readonly<Record<string, unknown>>) {
  return usageOf({
    inputTokens: number(usage['input_tokens']),
    outputTokens: number(usage['output_tokens']),
    cachedTokens: number(usage['cached_input_tokens']),
  });
}

/** The provider's answer, where the message is its JSON. */
function message(given: unknown): string {
  const raw = text(given) ?? 'the turn failed';
  return text(object(object(jsonLine(raw))['error'])['message']) ?? raw;
}

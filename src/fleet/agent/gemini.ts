import type { AgentCli, Fact, StreamReader } from '../agent-cli.ts';
import { jsonLine, number, object, text, usageOf } from '../agent-cli.ts';

const writers: Readonly<Record<string, 'created' | 'edited'>> = { write_file: 'created', replace: 'edited' };

export const gemini: AgentCli = {
  id: 'gemini',
  binary: 'gemini',
  install: 'npm install -g @google/gemini-cli',
  capabilities: { model: true, tokens: true, cost: false },
  invoke({ model, permissions, prompt, systemPrompt, server, envFile }) {
    const entry = { ...server, env: { SEKISHO_ENV_FILE: '$SEKISHO_ENV_FILE' }, trust: true };
    return {
      args: [
        '--output-format',
        'stream-json',
        '--skip-trust',
        '--approval-mode',
        permissions === 'full' ? 'yolo' : 'auto_edit',
        ...(model === undefined ? [] : ['--model', model]),
      ],
      // The flag alone comes too late for the project's settings.
      env: { SEKISHO_ENV_FILE: envFile, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
      files: {},
      // Its settings by path (GEMINI_CLI_SYSTEM_SETTINGS_PATH) must be root's, so the project's it is: the same for every
      // agent, since what differs stands in the environment.
      projectFiles: { '.gemini/settings.json': `${JSON.stringify({ mcpServers: { sekisho: entry } }, null, 2)}\n` },
      stdin: systemPrompt === undefined ? prompt : `${systemPrompt}\n\n${prompt}`,
    };
  },
  reader,
};

/** The answer comes in pieces, and everything before the last tool call was only thinking aloud. */
function reader(): StreamReader {
  const open = new Map<string, { readonly name: string; readonly path: string | undefined }>();
  let pieces = '';

  function used(line: Readonly<Record<string, unknown>>): Fact[] {
    const name = text(line['tool_name']) ?? 'unknown';
    pieces = '';
    open.set(String(line['tool_id']), { name, path: text(object(line['parameters'])['file_path']) });
    return [{ kind: 'tool', name }];
  }

  function answered(line: Readonly<Record<string, unknown>>): Fact[] {
    const call = open.get(String(line['tool_id']));
    open.delete(String(line['tool_id']));
    pieces = '';
    if (call === undefined) return [];
    if (line['status'] === 'error')
      return object(line['error'])['type'] === 'policy_violation' ? [{ kind: 'denied', tool: call.name }] : [];
    const change = writers[call.name];
    return change === undefined || call.path === undefined ? [] : [{ kind: 'file', path: call.path, change }];
  }

  return {
    read(raw) {
      const line = jsonLine(raw);
      if (line === undefined) return [];
      switch (line['type']) {
        case 'init':
          return [
            { kind: 'session', id: String(line['session_id']) },
            ...(text(line['model']) === undefined ? [] : [{ kind: 'model' as const, model: String(line['model']) }]),
          ];
        case 'message': {
          if (line['role'] !== 'assistant') return [];
          pieces = line['delta'] === true ? pieces + (text(line['content']) ?? '') : (text(line['content']) ?? '');
          return pieces === '' ? [] : [{ kind: 'text', text: pieces }];
        }
        case 'tool_use':
          return used(line);
        case 'tool_result':
          return answered(line);
        case 'result':
          return ended(line);
        default:
          return [];
      }
    },
  };
}

function ended(line: Readonly<Record<string, unknown>>): Fact[] {
  const stats = object(line['stats']);
  const usage = usageOf({
    inputTokens: number(stats['input_tokens']),
    outputTokens: number(stats['output_tokens']),
    cachedTokens: number(stats['cached']),
  });
  const ms = number(stats['duration_ms']);
  return [
    { kind: 'usage', usage },
    ...(ms === undefined ? [] : [{ kind: 'duration' as const, ms }]),
    ...(line['status'] === 'error'
      ? [{ kind: 'error' as const, message: text(object(line['error'])['message']) ?? 'the run failed' }]
      : []),
  ];
}

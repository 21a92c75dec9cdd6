import { join } from 'node:path';
import { type JsonObject, jsonObjectOf, textOf } from '../../base/json-object.ts';
import type { AgentCli, Fact, StreamReader } from '../agent-cli.ts';
import type { AgentHook, Invocations } from '../agent-hook.ts';
import { hookGroups, readLikeClaude, writeLikeClaude } from '../shape/claude-hook.ts';
import { jsonLine, number, object, usageOf } from '../shape/line.ts';
import { googleFiles, isOn } from '../shape/cloud-login.ts';
import { bearer, remoteJson } from '../shape/remote-server.ts';
import { type NameTable, joinedMcpNames, mcpNames, nativeNames, unique } from '../shape/tool-names.ts';

const writers: Readonly<Record<string, 'created' | 'edited'>> = { write_file: 'created', replace: 'edited' };

const table: NameTable = {
  run_shell_command: ['Bash'],
  write_file: ['Write'],
  replace: ['Edit'],
  edit: ['Edit'],
  read_file: ['Read'],
  read_many_files: ['Read'],
  list_directory: ['LS', 'Glob'],
  glob: ['Glob'],
  search_file_content: ['Grep'],
  grep_search: ['Grep'],
  google_web_search: ['WebSearch'],
  web_fetch: ['WebFetch'],
  write_todos: ['TodoWrite'],
  delegate_to_agent: ['Task'],
  codebase_investigator: ['Task'],
  activate_skill: ['Skill'],
};

const events: AgentHook['events'] = {
  BeforeTool: 'pre-tool-use',
  AfterTool: 'post-tool-use',
  SessionStart: 'session-start',
  AfterAgent: 'stop',
};

export const gemini: AgentCli = {
  id: 'gemini',
  environment: { marks: ['GEMINI_CLI'], session: ['GEMINI_CLI'] },
  clientName: /gemini/i,
  rejectsErrors: /gemini/i,
  program: 'gemini',
  install: 'npm install -g @google/gemini-cli',
  choosesModel: true,
  places: {
    project: { folders: ['.gemini'], files: {} },
    home: [
      {
        path: '.gemini',
        variable: 'GEMINI_CLI_HOME',
        below: '.gemini',
        fixed: {
          folders: ['extensions', 'commands', 'policies', 'skills'],
          files: { 'settings.json': '{}\n', 'trustedFolders.json': '{}\n', 'GEMINI.md': '' },
        },
        shared: ['oauth_creds.json', 'google_accounts.json'],
      },
    ],
    logins: [
      '.gemini/oauth_creds.json',
      '.gemini/google_accounts.json',
      '.gemini/mcp-oauth-tokens.json',
      '.gemini/.env',
    ],
  },
  credentials: (env) =>
    isOn(env['GOOGLE_GENAI_USE_VERTEXAI']) || isOn(env['GOOGLE_APPLICATION_CREDENTIALS']) ? googleFiles(env) : [],
  invoke({ model, permissions, prompt, systemPrompt, server, envFile, hook, confinement }) {
    const entry = { ...server, env: { SEKISHO_ENV_FILE: '$SEKISHO_ENV_FILE' }, trust: true };
    const json = { hooks: hookGroups({ hook }, events, '.*'), mcpServers: { sekisho: entry } };
    return {
      args: [
        '--output-format',
        'stream-json',
        '--skip-trust',
        '--approval-mode',
        // In `default` mode Gemini denies calls that need confirmation when no person can be asked.
        { full: 'yolo', edit: 'auto_edit', read: 'default' }[permissions],
        ...(model === undefined ? [] : ['--model', model]),
      ],
      // The variable is needed: the flag alone takes effect after the project's settings are read.
      env: { SEKISHO_ENV_FILE: envFile, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
      files: {},
      // A settings file given by path (GEMINI_CLI_SYSTEM_SETTINGS_PATH) must belong to root. In a sandbox the home
      // consists of mounts, so the project's file is used there. It is the same for every agent; the differences are in
      // the environment.
      ...(confinement === undefined
        ? { home: { variable: 'GEMINI_CLI_HOME', folder: '.gemini', file: 'settings.json', json } }
        : { projectFiles: { '.gemini/settings.json': `${JSON.stringify(json, null, 2)}\n` } }),
      stdin: systemPrompt === undefined ? prompt : `${systemPrompt}\n\n${prompt}`,
    };
  },
  reader,
  hook: {
    projectFolder: 'GEMINI_PROJECT_DIR',
    events,
    read(raw) {
      const server = jsonObjectOf(raw['mcp_context']);
      return { ...readLikeClaude(raw, (name) => namesOf(name, server)), canAsk: false };
    },
    write(answer) {
      if (answer.kind === 'context' || answer.kind === 'none') return writeLikeClaude(answer);
      return JSON.stringify({ decision: 'deny', reason: answer.reason });
    },
  },
  settings: ['.gemini/settings.json', '.gemini/trustedFolders.json'],
  // `disabled` names single hooks, also by their commands.
  hooksOff: /"hooksConfig"\s*:\s*\{[^{}]*"(?:enabled"\s*:\s*false|disabled"\s*:\s*\[[^\]]*\bsekisho\b)/,
  instructions: 'GEMINI.md',
  setup: (call) => [
    {
      path: join(call.scope === 'shared' ? join(call.tree, '.gemini') : homeOf(call), 'settings.json'),
      json: { hooks: hookGroups(call, events, '.*'), mcpServers: { sekisho: call.mcp } },
    },
  ],
  remoteServer: (url, variable) =>
    remoteJson('~/.gemini/settings.json', {
      mcpServers: { sekisho: { httpUrl: url, headers: bearer(`\${${variable}}`) } },
    }),
  trustFolder: (call) => [{ path: join(homeOf(call), 'trustedFolders.json'), json: { [call.tree]: 'TRUST_FOLDER' } }],
  untrusted: {
    en: 'Gemini does not trust this folder: it reads nothing from the project’s own .gemini/, so hooks that a project shares are off.',
    ja: 'Gemini はこのフォルダーを信頼していません。プロジェクトの .gemini/ は読まれず、共有されたフックは働きません。',
  },
};

function homeOf(call: Invocations): string {
  return join(call.home('', 'GEMINI_CLI_HOME'), '.gemini');
}

/** Reads Gemini's stream. The answer comes in pieces; text before the last tool call is not part of it. */
function reader(): StreamReader {
  const open = new Map<string, { readonly name: string; readonly path: string | undefined }>();
  let pieces = '';

  function used(line: JsonObject): Fact[] {
    const name = textOf(line['tool_name']) ?? 'unknown';
    pieces = '';
    open.set(String(line['tool_id']), { name, path: textOf(object(line['parameters'])['file_path']) });
    return [{ kind: 'tool', name }];
  }

  function answered(line: JsonObject): Fact[] {
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
            ...(textOf(line['model']) === undefined ? [] : [{ kind: 'model' as const, model: String(line['model']) }]),
          ];
        case 'message': {
          if (line['role'] !== 'assistant') return [];
          pieces = line['delta'] === true ? pieces + (textOf(line['content']) ?? '') : (textOf(line['content']) ?? '');
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

function ended(line: JsonObject): Fact[] {
  const stats = object(line['stats']);
  const usage = usageOf({
    inputTokens: number(stats['input_tokens']),
    outputTokens: number(stats['output_tokens']),
    cachedTokens: number(stats['cached']),
  });
  return [
    { kind: 'usage', usage },
    ...(line['status'] === 'error'
      ? [{ kind: 'error' as const, message: textOf(object(line['error'])['message']) ?? 'the run failed' }]
      : []),
  ];
}

/** Returns a tool's names: 0.61 sends `mcp_probe_ping`, the documentation says `mcp__probe__ping`. */
function namesOf(name: string, context: JsonObject): readonly string[] {
  const server = textOf(context['server_name']);
  const tool = textOf(context['tool_name']);
  if (server !== undefined && tool !== undefined) return unique([name, `mcp__${server}__${tool}`, tool]);
  if (name.startsWith('mcp__')) return mcpNames(name);
  if (name.startsWith('mcp_')) return joinedMcpNames(name);
  return nativeNames(table, name);
}

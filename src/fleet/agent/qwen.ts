import { join } from 'node:path';
import { type JsonObject, jsonObjectOf, textOf } from '../../base/json-object.ts';
import type { AgentCli } from '../agent-cli.ts';
import {
  eventsLikeClaude,
  hookGroups,
  hookedEvents,
  sessionLikeClaude,
  writeLikeClaude,
} from '../shape/claude-hook.ts';
import { streamJsonReader } from '../shape/stream-json.ts';
import { googleFiles, isOn } from '../shape/cloud-login.ts';
import { bearer, remoteJson } from '../shape/remote-server.ts';
import { type NameTable, mcpNames, nativeNames, unique } from '../shape/tool-names.ts';

const table: NameTable = {
  run_shell_command: ['Bash'],
  write_file: ['Write'],
  edit: ['Edit'],
  replace: ['Edit'],
  notebook_edit: ['NotebookEdit'],
  read_file: ['Read'],
  read_many_files: ['Read'],
  list_directory: ['LS', 'Glob'],
  glob: ['Glob'],
  grep_search: ['Grep'],
  search_file_content: ['Grep'],
  web_fetch: ['WebFetch'],
  web_search: ['WebSearch'],
  task: ['Task'],
  agent: ['Task'],
  skill: ['Skill'],
  todo_write: ['TodoWrite'],
  tool_search: ['ToolSearch'],
};

export const qwen: AgentCli = {
  id: 'qwen',
  environment: {
    marks: ['QWEN_CODE', 'QWEN_CODE_SESSION_ID'],
    session: ['QWEN_CODE', 'QWEN_CODE_SESSION_ID', 'QWEN_CODE_PROMPT_ID', 'QWEN_CODE_LAUNCHER_PID'],
  },
  clientName: /qwen/i,
  program: 'qwen',
  install: 'npm install -g @qwen-code/qwen-code',
  choosesModel: true,
  places: {
    project: { folders: ['.qwen'], files: {} },
    home: [
      {
        path: '.qwen',
        variable: 'QWEN_HOME',
        fixed: {
          folders: ['extensions', 'commands', 'policies', 'skills'],
          files: { 'settings.json': '{}\n', 'trustedFolders.json': '{}\n', 'QWEN.md': '' },
        },
        shared: ['oauth_creds.json', 'google_accounts.json'],
      },
    ],
    logins: ['.qwen/oauth_creds.json', '.qwen/google_accounts.json', '.qwen/mcp-oauth-tokens.json', '.qwen/.env'],
  },
  credentials: (env) =>
    isOn(env['GOOGLE_GENAI_USE_VERTEXAI']) || isOn(env['GOOGLE_APPLICATION_CREDENTIALS']) ? googleFiles(env) : [],
  invoke({ model, permissions, prompt, systemPrompt, folder, server, hook }) {
    const config = join(folder, 'mcp.json');
    const settings = join(folder, 'settings.json');
    return {
      args: [
        '--output-format',
        'stream-json',
        '--approval-mode',
        // In `default` mode Qwen denies calls that need confirmation when no person can be asked.
        { full: 'yolo', edit: 'auto-edit', read: 'default' }[permissions],
        '--mcp-config',
        config,
        ...(model === undefined ? [] : ['--model', model]),
      ],
      // System settings override the project's, which could switch hooks off and which Qwen rewrites as it starts.
      env: { QWEN_CODE_SYSTEM_SETTINGS_PATH: settings },
      files: {
        'settings.json': JSON.stringify({ hooks: hookGroups({ hook }, hookedEvents, '*') }, null, 2),
        'mcp.json': JSON.stringify({ mcpServers: { sekisho: { ...server, trust: true } } }, null, 2),
      },
      stdin: systemPrompt === undefined ? prompt : `${systemPrompt}\n\n${prompt}`,
    };
  },
  // Before 0.24 Qwen ended with code 0 and `is_error: false` after an HTTP error; the stream does not show it.
  reader: streamJsonReader,
  hook: {
    projectFolder: 'QWEN_PROJECT_DIR',
    events: eventsLikeClaude,
    read(raw) {
      const called = textOf(raw['tool_name']);
      const given = jsonObjectOf(raw['tool_input']);
      const { name, input } = called === 'tool_call' ? inner(given) : { name: called, input: given };
      return {
        ...sessionLikeClaude(raw),
        tool: name === undefined ? undefined : { name, names: namesOf(name), input, id: textOf(raw['tool_use_id']) },
        // Qwen accepts Claude's JSON, but only "deny" was seen to take effect.
        canAsk: false,
      };
    },
    write: writeLikeClaude,
  },
  settings: ['.qwen/settings.json', '.qwen/trustedFolders.json'],
  // Qwen stores the version of its settings format in this file.
  writes: { keys: { '.qwen/settings.json': ['$version'] } },
  instructions: 'QWEN.md',
  setup: (call) => [
    {
      path: join(call.scope === 'shared' ? join(call.tree, '.qwen') : call.home('.qwen', 'QWEN_HOME'), 'settings.json'),
      json: { hooks: hookGroups(call, hookedEvents, '*'), mcpServers: { sekisho: call.mcp } },
    },
  ],
  remoteServer: (url, variable) =>
    remoteJson('~/.qwen/settings.json', {
      mcpServers: { sekisho: { httpUrl: url, headers: bearer(`\${${variable}}`) } },
    }),
};

/** Unwraps a deferred tool, which is called through `tool_call`. */
function inner(input: JsonObject): { name: string; input: JsonObject } {
  const name = textOf(input['name']) ?? textOf(input['tool_name']) ?? textOf(input['tool']) ?? 'tool_call';
  const given = input['arguments'] ?? input['args'] ?? input['input'] ?? input['parameters'];
  return { name, input: given === undefined ? input : jsonObjectOf(given) };
}

/** Returns a tool's names. 0.24 appends a hash to MCP names that it changes: `mcp__probe__get_state_00eh4gy`. */
function namesOf(name: string): readonly string[] {
  if (!name.startsWith('mcp__')) return nativeNames(table, name);
  const plain = name.replace(/_[0-9a-z]{7}$/, '');
  return unique([...mcpNames(name), ...mcpNames(plain)]);
}

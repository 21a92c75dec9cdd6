import { join } from 'node:path';
import { type JsonObject, jsonObjectOf, textOf } from '../../base/json-object.ts';
import type { AgentCli, Fact, StreamReader } from '../agent-cli.ts';
import type { Invocations, ToolUse } from '../agent-hook.ts';
import { jsonLine, list, object } from '../shape/line.ts';
import { bearer, remoteJson } from '../shape/remote-server.ts';
import { type NameTable, mcpNames, nativeNames, unique } from '../shape/tool-names.ts';

const table: NameTable = {
  Shell: ['Bash'],
  Write: ['Edit'],
  StrReplace: ['Edit'],
  TabWrite: ['Edit'],
  ApplyPatch: ['Edit', 'Write'],
  Delete: ['Edit', 'Write'],
  EditNotebook: ['NotebookEdit'],
  TabRead: ['Read'],
  LS: ['Glob'],
  SemanticSearch: ['Grep'],
};

export const cursor: AgentCli = {
  id: 'cursor',
  // CURSOR_TRACE_ID is no mark: the editor also sets it in people's terminals.
  environment: { marks: ['CURSOR_AGENT'], session: ['CURSOR_AGENT', 'CURSOR_TRACE_ID'] },
  clientName: /cursor/i,
  rejectsDots: /^cursor/i,
  program: 'cursor-agent',
  otherNames: ['agent'],
  install: 'curl https://cursor.com/install -fsS | bash',
  choosesModel: true,
  places: {
    project: { folders: ['.cursor'], files: {} },
    home: [
      {
        path: '.cursor',
        fixed: {
          folders: ['hooks', 'extensions', 'skills'],
          files: { 'mcp.json': '{ "mcpServers": {} }\n', 'hooks.json': '{ "version": 1, "hooks": {} }\n' },
        },
        shared: [],
      },
    ],
    logins: ['.config/cursor'],
  },
  invoke({ model, permissions, prompt, systemPrompt, server, envFile, hook }) {
    const entry = { ...server, env: { SEKISHO_ENV_FILE: '${env:SEKISHO_ENV_FILE}' } };
    return {
      args: [
        '-p',
        '--output-format',
        'stream-json',
        '--trust',
        '--approve-mcps',
        ...{ full: ['--force'], edit: [], read: ['--mode', 'ask'] }[permissions],
        ...(model === undefined ? [] : ['--model', model]),
      ],
      env: { SEKISHO_ENV_FILE: envFile },
      files: {},
      // Cursor reads MCP servers only from here. The entry is the same for every agent; the differences are in the
      // environment.
      projectFiles: {
        '.cursor/mcp.json': `${JSON.stringify({ mcpServers: { sekisho: entry } }, null, 2)}\n`,
        '.cursor/hooks.json': `${JSON.stringify({ version: 1, hooks: hooksOf({ hook }) }, null, 2)}\n`,
      },
      stdin: systemPrompt === undefined ? prompt : `${systemPrompt}\n\n${prompt}`,
    };
  },
  reader,
  hook: {
    projectFolder: 'CURSOR_PROJECT_DIR',
    events: {
      preToolUse: 'pre-tool-use',
      beforeShellExecution: 'pre-tool-use',
      beforeMCPExecution: 'pre-tool-use',
      beforeReadFile: 'pre-tool-use',
      postToolUse: 'post-tool-use',
      postToolUseFailure: 'post-tool-use',
      sessionStart: 'session-start',
      stop: 'stop',
    },
    read(raw) {
      const event = textOf(raw['hook_event_name']);
      const roots = Array.isArray(raw['workspace_roots']) ? raw['workspace_roots'] : [];
      return {
        tool: toolOf(event, raw),
        cwd: textOf(raw['cwd']) ?? textOf(roots[0]),
        session: textOf(raw['conversation_id']) ?? textOf(raw['session_id']),
        source: textOf(raw['source']),
        repeated: typeof raw['loop_count'] === 'number' && raw['loop_count'] > 0,
        // `preToolUse` accepts "ask", but does not ask.
        canAsk: event === 'beforeShellExecution' || event === 'beforeMCPExecution',
      };
    },
    write(answer) {
      switch (answer.kind) {
        case 'none':
          // Cursor rejects empty output; an empty object makes no decision either.
          return '{}';
        case 'deny':
        case 'ask':
          return JSON.stringify({ permission: answer.kind, user_message: answer.reason, agent_message: answer.reason });
        case 'context':
          return JSON.stringify({ additional_context: answer.text });
        case 'block':
          return JSON.stringify({ followup_message: answer.reason });
      }
    },
  },
  settings: ['.cursor/hooks.json', '.cursor/mcp.json', '.cursor/cli.json', '.cursor/cli-config.json'],
  instructions: 'AGENTS.md',
  setup(call) {
    const folder = call.scope === 'shared' ? join(call.tree, '.cursor') : call.home('.cursor');
    return [
      { path: join(folder, 'hooks.json'), json: { version: 1, hooks: hooksOf(call) } },
      { path: join(folder, 'mcp.json'), json: { mcpServers: { sekisho: call.mcp } } },
    ];
  },
  remoteServer: (url, variable) =>
    remoteJson('~/.cursor/mcp.json', { mcpServers: { sekisho: { url, headers: bearer(`\${env:${variable}}`) } } }),
  trust: {
    en: 'Cursor reads its hooks.json when it is saved; Settings > Hooks shows whether they ran.',
    ja: 'Cursor は hooks.json を保存時に読みます。実行されたかは Settings > Hooks で確認できます。',
  },
};

function hooksOf(call: Pick<Invocations, 'hook'>): JsonObject {
  return {
    preToolUse: [{ command: call.hook('pre-tool-use') }],
    // Only this event names the server of a tool.
    beforeMCPExecution: [{ command: call.hook('pre-tool-use') }],
    postToolUse: [{ command: call.hook('post-tool-use') }],
    sessionStart: [{ command: call.hook('session-start') }],
    stop: [{ command: call.hook('stop') }],
  };
}

/** Reads Cursor's stream, as documented. A failed run may end without a `result`, with the reason on stderr. */
function reader(): StreamReader {
  return {
    read(raw) {
      const line = jsonLine(raw);
      if (line === undefined) return [];
      if (line['type'] === 'system' && line['subtype'] === 'init') {
        const id = textOf(line['session_id']);
        const model = textOf(line['model']);
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

function said(line: JsonObject): Fact[] {
  // With partial output a flush repeats text that was already streamed.
  if (line['timestamp_ms'] !== undefined && line['model_call_id'] !== undefined) return [];
  return list(object(line['message'])['content'])
    .map((part) => textOf(part['text']))
    .filter((part) => part !== undefined)
    .map((part) => ({ kind: 'text', text: part }));
}

function called(line: JsonObject): Fact[] {
  const [entry] = Object.entries(object(line['tool_call']));
  if (entry === undefined) return [];
  const [kind, body] = entry;
  if (line['subtype'] === 'started')
    return [
      {
        kind: 'tool',
        name: kind === 'function' ? (textOf(object(body)['name']) ?? kind) : kind.replace(/ToolCall$/, ''),
      },
    ];
  const success = object(object(body)['result'])['success'];
  if (success === undefined) return [];
  const path = textOf(object(success)['path']) ?? textOf(object(object(body)['args'])['path']);
  if (path === undefined) return [];
  if (kind === 'writeToolCall') return [{ kind: 'file', path, change: 'created' }];
  if (kind === 'editToolCall') return [{ kind: 'file', path, change: 'edited' }];
  if (kind === 'deleteToolCall') return [{ kind: 'file', path, change: 'deleted' }];
  return [];
}

function ended(line: JsonObject): Fact[] {
  const answer = textOf(line['result']);
  if (line['is_error'] === true) return [{ kind: 'error', message: answer ?? 'the agent reported an error' }];
  return answer === undefined ? [] : [{ kind: 'answer', text: answer }];
}

function toolOf(event: string | undefined, raw: JsonObject): ToolUse | undefined {
  const id = textOf(raw['tool_use_id']);
  if (event === 'beforeShellExecution')
    return { name: 'Shell', names: nativeNames(table, 'Shell'), input: { command: raw['command'] }, id };
  if (event === 'beforeReadFile')
    return { name: 'Read', names: nativeNames(table, 'Read'), input: { file_path: raw['file_path'] }, id };
  const name = textOf(raw['tool_name']);
  if (name === undefined) return undefined;
  const input = jsonObjectOf(raw['tool_input']);
  const server = textOf(raw['mcp_server_name']);
  if (event === 'beforeMCPExecution' || name.startsWith('MCP:'))
    return { name, names: mcpNamesOf(name.replace(/^MCP:/, ''), server), input, id };
  return { name, names: name.startsWith('mcp__') ? mcpNames(name) : nativeNames(table, name), input, id };
}

/**
 * Returns the names of an MCP tool. `preToolUse` does not name the server: then only patterns that leave the server
 * open match the long name, and a tool named like one of ours passes until `beforeMCPExecution`, which names the
 * server.
 */
function mcpNamesOf(tool: string, server: string | undefined): readonly string[] {
  return unique([`mcp__${server ?? ''}__${tool}`, tool]);
}

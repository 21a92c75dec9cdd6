import { join } from 'node:path';
import { type JsonObject, jsonObjectOf, textOf } from '../../base/json-object.ts';
import type { AgentCli, Fact, StreamReader } from '../agent-cli.ts';
import type { AgentHook, Invocations, SetupFile } from '../agent-hook.ts';
import { momentOf } from '../shape/claude-hook.ts';
import { jsonLine, list, object } from '../shape/line.ts';
import { isOn } from '../shape/cloud-login.ts';
import { copilotNames } from '../shape/copilot-tools.ts';
import { bearer, remoteJson } from '../shape/remote-server.ts';

const events: AgentHook['events'] = {
  preToolUse: 'pre-tool-use',
  postToolUse: 'post-tool-use',
  sessionStart: 'session-start',
  agentStop: 'stop',
};

export const copilot: AgentCli = {
  id: 'copilot',
  environment: { marks: ['COPILOT_AGENT_SESSION_ID'], session: ['COPILOT_AGENT_SESSION_ID', 'COPILOT_CLI'] },
  clientName: /copilot/i,
  program: 'copilot',
  install: 'npm install -g @github/copilot',
  choosesModel: true,
  places: {
    // The editor of the same name starts servers and tasks from `.vscode`.
    project: {
      folders: ['.github/hooks', '.github/copilot', '.copilot', '.vscode'],
      files: { '.mcp.json': '{ "mcpServers": {} }\n' },
    },
    home: [
      {
        path: '.copilot',
        variable: 'COPILOT_HOME',
        fixed: {
          folders: ['hooks', 'agents', 'skills', 'installed-plugins'],
          files: { 'mcp-config.json': '{ "mcpServers": {} }\n', 'settings.json': '{}\n' },
        },
        shared: ['session-state'],
      },
    ],
    logins: ['.copilot/config.json'],
  },
  // Without a token Copilot asks the GitHub CLI for one.
  credentials: (env) =>
    ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN'].some((name) => isOn(env[name])) ? [] : ['~/.config/gh'],
  invoke({ model, permissions, prompt, systemPrompt, folder, server, hook }) {
    const config = join(folder, 'mcp.json');
    const allowed = {
      full: ['--allow-all-tools'],
      edit: ['--allow-tool', 'write', '--allow-tool', 'sekisho'],
      read: ['--allow-tool', 'sekisho', '--deny-tool', 'write', '--deny-tool', 'shell'],
    }[permissions];
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
      projectFiles: { '.github/hooks/sekisho.json': `${JSON.stringify(hooksOf({ hook }), null, 2)}\n` },
      files: {
        'mcp.json': JSON.stringify({ mcpServers: { sekisho: { type: 'local', tools: ['*'], ...server } } }, null, 2),
      },
      stdin: systemPrompt === undefined ? prompt : `${systemPrompt}\n\n${prompt}`,
    };
  },
  reader,
  hook: {
    events,
    read(raw) {
      // Fields are camelCase, or snake_case if the hook was configured in PascalCase.
      const name = textOf(raw['toolName']) ?? textOf(raw['tool_name']);
      return {
        tool:
          name === undefined
            ? undefined
            : {
                name,
                names: copilotNames(name),
                input: jsonObjectOf(raw['toolArgs'] ?? raw['tool_input']),
                id: textOf(raw['toolCallId']) ?? textOf(raw['tool_use_id']),
              },
        cwd: textOf(raw['cwd']),
        session: textOf(raw['sessionId']) ?? textOf(raw['session_id']),
        source: textOf(raw['source']),
        repeated: raw['stopHookActive'] === true || raw['stop_hook_active'] === true,
        ...momentOf(raw['timestamp']),
        // Its documentation says that only "deny" is processed: an "ask" answer would let the call through.
        canAsk: false,
      };
    },
    write(answer) {
      switch (answer.kind) {
        case 'none':
          return '';
        case 'deny':
        case 'ask':
          return JSON.stringify({ permissionDecision: 'deny', permissionDecisionReason: answer.reason });
        case 'context':
          return JSON.stringify({ additionalContext: answer.text });
        case 'block':
          return JSON.stringify({ decision: 'block', reason: answer.reason });
      }
    },
  },
  settings: [
    '.github/hooks',
    '.github/copilot/settings.json',
    '.github/copilot/settings.local.json',
    '.copilot/hooks',
    '.copilot/config.json',
    '.copilot/mcp-config.json',
    '.mcp.json',
  ],
  hooksOff: /"disableAllHooks"\s*:\s*true/,
  instructions: 'AGENTS.md',
  setup(call) {
    const server = (type: string, more = {}) => ({ mcpServers: { sekisho: { type, ...more, ...call.mcp } } });
    if (call.scope === 'shared')
      return [...projectHooks(call), { path: join(call.tree, '.mcp.json'), json: server('stdio') }];
    const folder = homeOf(call);
    return [
      { path: join(folder, 'hooks/sekisho.json'), json: hooksOf(call) },
      { path: join(folder, 'mcp-config.json'), json: server('local', { tools: ['*'] }) },
    ];
  },
  remoteServer: (url, variable) =>
    remoteJson('~/.copilot/mcp-config.json', {
      mcpServers: { sekisho: { type: 'http', url, headers: bearer(`\${${variable}}`), tools: ['*'] } },
    }),
  formerSetup: projectHooks,
  trustFolder: (call) => [{ path: join(homeOf(call), 'config.json'), json: { trusted_folders: [call.tree] } }],
  untrusted: {
    en: 'Copilot does not trust this folder: it reads nothing from the project’s own .github/hooks/, so hooks that a project shares are off.',
    ja: 'Copilot はこのフォルダーを信頼していません。プロジェクトの .github/hooks/ は読まれず、共有されたフックは働きません。',
  },
};

function homeOf(call: Invocations): string {
  return call.home('.copilot', 'COPILOT_HOME');
}

function projectHooks(call: Invocations): readonly SetupFile[] {
  return [{ path: join(call.tree, '.github/hooks/sekisho.json'), json: hooksOf(call) }];
}

function hooksOf(call: Pick<Invocations, 'hook'>): JsonObject {
  const hooks = Object.fromEntries(
    Object.entries(events).map(([name, event]) => [name, [{ type: 'command', bash: call.hook(event) }]]),
  );
  return { version: 1, hooks };
}

/** Reads Copilot's stream. Only the last line has the session's id, and empty messages precede tool calls. */
function reader(): StreamReader {
  let model: string | undefined;
  const open = new Map<string, string>();
  return {
    read(raw) {
      const line = jsonLine(raw);
      if (line === undefined) return [];
      const data = object(line['data']);
      const facts: Fact[] = [];
      const named = textOf(data['model']);
      if (named !== undefined && named !== model && String(line['type']).match(/^(session|assistant)\./))
        facts.push({ kind: 'model', model: named });
      model = named ?? model;
      switch (line['type']) {
        case 'assistant.message':
          if (textOf(data['content']) !== undefined) facts.push({ kind: 'text', text: String(data['content']) });
          break;
        case 'tool.execution_start':
          open.set(String(data['toolCallId']), textOf(data['toolName']) ?? 'unknown');
          facts.push({ kind: 'tool', name: textOf(data['toolName']) ?? 'unknown' });
          break;
        case 'tool.execution_complete':
          facts.push(...completed(data, open.get(String(data['toolCallId'])) ?? 'unknown'));
          break;
        case 'session.error':
          facts.push({ kind: 'error', message: textOf(data['message']) ?? 'the session failed' });
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

function completed(data: JsonObject, tool: string): Fact[] {
  if (data['success'] === false) return object(data['error'])['code'] === 'denied' ? [{ kind: 'denied', tool }] : [];
  const kinds: Readonly<Record<string, 'created' | 'edited' | 'deleted'>> = {
    create: 'created',
    add: 'created',
    delete: 'deleted',
  };
  return list(data['fileEdits']).flatMap((one): Fact[] => {
    const path = textOf(one['path']);
    return path === undefined ? [] : [{ kind: 'file', path, change: kinds[String(one['kind'])] ?? 'edited' }];
  });
}

function ended(result: JsonObject): Fact[] {
  const id = textOf(result['sessionId']);
  const files = object(object(result['usage'])['codeChanges'])['filesModified'];
  return [
    ...(id === undefined ? [] : [{ kind: 'session' as const, id }]),
    ...(Array.isArray(files) ? files : [])
      .filter((one): one is string => typeof one === 'string')
      .map((path) => ({ kind: 'file' as const, path, change: 'edited' as const })),
  ];
}

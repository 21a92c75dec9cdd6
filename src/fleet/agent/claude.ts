import { join } from 'node:path';
import { isJsonObject, textOf } from '../../base/json-object.ts';
import type { AgentCli, Confined, Confinement } from '../agent-cli.ts';
import {
  eventsLikeClaude,
  hookGroups,
  hookedEvents,
  httpHookGroups,
  momentOf,
  readLikeClaude,
  writeLikeClaude,
} from '../shape/claude-hook.ts';
import { pluginFolder } from '../shape/claude-plugin.ts';
import { copilotTools } from '../shape/copilot-tools.ts';
import { streamJsonReader } from '../shape/stream-json.ts';
import { awsFiles, azureFiles, googleFiles, isOn } from '../shape/cloud-login.ts';
import { bearer, remoteJson } from '../shape/remote-server.ts';
import { type NameTable, mcpNames, nativeNames } from '../shape/tool-names.ts';

/** Tools are listed one by one because `--dangerously-skip-permissions` refuses to run as root. */
const everyTool = 'Bash,Edit,MultiEdit,Write,NotebookEdit,Read,Glob,Grep,LS,WebFetch,WebSearch,Task,TodoWrite,Skill';

/** Tools that neither run a shell nor write. */
const readingTools = 'Read,Glob,Grep,LS,WebFetch,WebSearch,TodoWrite';
const writingTools = 'Bash,Edit,MultiEdit,Write,NotebookEdit,Task,Skill';

const table: NameTable = {
  Agent: ['Task'],
  MultiEdit: ['Edit'],
  // Both tools run a command line.
  Monitor: ['Bash'],
  PowerShell: ['Bash'],
  // Copilot also runs Claude Code's hooks, with its own tool names.
  ...copilotTools,
};

/** Permission modes without prompts: an "ask" answer would let the call pass. */
const modesWithoutPrompts = ['bypassPermissions', 'dontAsk'];

export const claude: AgentCli = {
  id: 'claude',
  environment: {
    marks: ['CLAUDECODE', 'CLAUDE_CODE_SESSION_ID', 'CLAUDE_CODE_CHILD_SESSION'],
    session: [
      'CLAUDECODE',
      'CLAUDE_CODE_SESSION_ID',
      'CLAUDE_CODE_CHILD_SESSION',
      'CLAUDE_CODE_ENTRYPOINT',
      'CLAUDE_CODE_SSE_PORT',
      'CLAUDE_PROJECT_DIR',
    ],
  },
  clientName: /claude/i,
  // The terminal client accepts dots; the web and desktop clients do not.
  rejectsDots: /^(claude[- ]?ai|claude\.ai|claude desktop|anthropic\/claudeai)/i,
  program: 'claude',
  install: 'npm install -g @anthropic-ai/claude-code',
  choosesModel: true,
  places: {
    project: { folders: ['.claude'], files: { '.mcp.json': '{ "mcpServers": {} }\n' } },
    home: [
      {
        path: '.claude',
        variable: 'CLAUDE_CONFIG_DIR',
        fixed: {
          folders: ['plugins', 'hooks', 'agents', 'commands', 'skills', 'output-styles', 'local'],
          files: { 'settings.json': '{}\n', 'settings.local.json': '{}\n', 'CLAUDE.md': '' },
        },
        shared: ['.credentials.json', 'projects'],
        seeds: { '.claude.json': '.claude.json' },
      },
    ],
    logins: ['.claude/.credentials.json', '.claude.json'],
  },
  credentials: (env) => [
    ...(isOn(env['CLAUDE_CODE_USE_BEDROCK']) ? awsFiles : []),
    ...(isOn(env['CLAUDE_CODE_USE_VERTEX']) ? googleFiles(env) : []),
    ...(isOn(env['CLAUDE_CODE_USE_FOUNDRY']) ? azureFiles : []),
  ],
  environmentFile: 'settings.json',
  confineHandsHooks: true,
  confine(session) {
    const { args, files } = confinedSettings(session);
    return {
      args: [...args, '--mcp-config', join(session.folder, 'mcp.json'), '--strict-mcp-config'],
      files: { ...files, 'mcp.json': JSON.stringify({ mcpServers: { sekisho: { type: 'stdio', ...session.mcp } } }) },
    };
  },
  invoke({ model, permissions, prompt, systemPrompt, folder, server, hook, confinement }) {
    const confined = confinement === undefined ? undefined : confinedSettings(confinement);
    const config = join(folder, 'mcp.json');
    const system = join(folder, 'system-prompt.txt');
    const allowed = { full: `${everyTool},mcp__sekisho`, edit: 'mcp__sekisho', read: `${readingTools},mcp__sekisho` };
    return {
      args: [
        '-p',
        '--output-format',
        'stream-json',
        '--verbose',
        '--permission-mode',
        permissions === 'read' ? 'default' : 'acceptEdits',
        '--allowedTools',
        allowed[permissions],
        ...(permissions === 'read' ? ['--disallowedTools', writingTools] : []),
        '--mcp-config',
        config,
        ...(model === undefined ? [] : ['--model', model]),
        ...(systemPrompt === undefined ? [] : ['--append-system-prompt-file', system]),
        ...(confined?.args ?? ['--settings', join(folder, 'settings.json')]),
      ],
      // The server has few tools, and the agent must find the first one without a search.
      env: { ENABLE_TOOL_SEARCH: 'false' },
      files: {
        'settings.json': JSON.stringify({ hooks: hookGroups({ hook }, hookedEvents, '*') }, null, 2),
        'mcp.json': JSON.stringify({ mcpServers: { sekisho: { type: 'stdio', ...server } } }, null, 2),
        ...(systemPrompt !== undefined && { 'system-prompt.txt': systemPrompt }),
        ...confined?.files,
      },
      stdin: prompt,
    };
  },
  reader: streamJsonReader,
  hook: {
    projectFolder: 'CLAUDE_PROJECT_DIR',
    events: eventsLikeClaude,
    read(raw) {
      const server = isJsonObject(raw['mcp_server']) ? textOf(raw['mcp_server']['name']) : undefined;
      return {
        ...readLikeClaude(raw, (name) =>
          name.startsWith('mcp__') ? mcpNames(name, server) : nativeNames(table, name),
        ),
        // Only Copilot, which also runs these hooks, sends a timestamp.
        ...momentOf(raw['timestamp']),
        canAsk: !modesWithoutPrompts.includes(textOf(raw['permission_mode']) ?? ''),
      };
    },
    write: writeLikeClaude,
  },
  settings: [
    '.claude/settings.json',
    '.claude/settings.local.json',
    '.claude/plugins',
    '.claude.json',
    // CLAUDE_CONFIG_DIR moves this file into the folder that it names.
    '.claude/.claude.json',
    '.mcp.json',
  ],
  hooksOff: /"disableAllHooks"\s*:\s*true/,
  // A person's permanent permissions, which Claude Code saves here.
  writes: { keys: { '.claude/settings.local.json': ['permissions'] } },
  instructions: 'CLAUDE.md',
  setup(call) {
    const server = { mcpServers: { sekisho: { type: 'stdio', ...call.mcp } } };
    const hooks = hookGroups(call, hookedEvents, '*');
    return call.scope === 'shared'
      ? [
          { path: join(call.tree, '.claude/settings.json'), json: { hooks } },
          { path: join(call.tree, '.mcp.json'), json: server },
        ]
      : [
          { path: join(call.home('.claude', 'CLAUDE_CONFIG_DIR'), 'settings.json'), json: { hooks } },
          // Claude Code's "local" scope: this person in this repository, including subfolders and worktrees. It needs
          // no trust.
          {
            path: join(call.home('', 'CLAUDE_CONFIG_DIR'), '.claude.json'),
            json: { projects: { [call.repository]: server } },
          },
        ];
  },
  remoteServer: (url, variable) =>
    remoteJson('.mcp.json', { mcpServers: { sekisho: { type: 'http', url, headers: bearer(`\${${variable}}`) } } }),
  formerSetup: (call) => [
    { path: join(call.tree, '.claude/settings.local.json'), json: { hooks: hookGroups(call, hookedEvents, '*') } },
  ],
  plugin(call) {
    const folder = pluginFolder(call.home('.claude', 'CLAUDE_CONFIG_DIR'), call.tree);
    if (folder === undefined) return [];
    return [
      { path: join(folder, 'hooks/hooks.json'), json: { hooks: hookGroups(call, hookedEvents, '*') } },
      { path: join(folder, '.mcp.json'), json: { mcpServers: { sekisho: call.mcp } } },
    ];
  },
  trust: {
    en: 'Claude Code asks once whether to trust this folder.',
    ja: 'Claude Code は、このフォルダーを信頼するか一度だけ確認します。',
  },
};

/** Uses HTTP hooks: Claude Code treats a hook process that was killed as it started as "no opinion". */
function confinedSettings({ folder, hookUrl, hookToken }: Confinement): Confined {
  const hooks = httpHookGroups(hookUrl, hookToken, hookedEvents, '*');
  return {
    args: ['--settings', join(folder, 'settings.json')],
    // These settings override a project file that switches all hooks off.
    files: { 'settings.json': JSON.stringify({ hooks, disableAllHooks: false, sandbox: { enabled: false } }) },
  };
}

import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonObject, isJsonObject, jsonObjectOf, textOf } from '../../base/json-object.ts';
import type { AgentCli, Fact, StreamReader } from '../agent-cli.ts';
import { type HookTrust, type Invocations, type ToolUse, type TrustFiles, ourCommand } from '../agent-hook.ts';
import {
  eventsLikeClaude,
  hookGroups,
  hookedEvents,
  sessionLikeClaude,
  writeLikeClaude,
} from '../shape/claude-hook.ts';
import { jsonLine, list, number, object, usageOf } from '../shape/line.ts';
import { type NameTable, mcpNames, nativeNames, unique } from '../shape/tool-names.ts';
import { shellPatch } from '../shape/shell-patch.ts';

/** Variables that our server needs to find the same store as the hooks; Codex starts servers with almost none. */
const passedOn = [
  'XDG_DATA_HOME',
  'SEKISHO_DB',
  'SEKISHO_PROJECT',
  'SEKISHO_PROJECT_KEY',
  'SEKISHO_RUN_ID',
  'SEKISHO_LANG',
  'PGPASSWORD',
  'PGPASSFILE',
  'PGUSER',
  'PGSSLMODE',
  'PGSSLROOTCERT',
];

const toolItems = ['mcp_tool_call', 'command_execution', 'file_change', 'web_search'];
const changes: Readonly<Record<string, 'created' | 'edited' | 'deleted'>> = {
  add: 'created',
  update: 'edited',
  delete: 'deleted',
};

const table: NameTable = {
  apply_patch: ['Edit', 'Write'],
  shell: ['Bash'],
  shell_command: ['Bash'],
  local_shell: ['Bash'],
  exec_command: ['Bash'],
  unified_exec: ['Bash'],
  write_stdin: ['Bash'],
  // Code mode: one program that calls the other tools. Their own hooks run too.
  exec: ['Bash'],
  read_file: ['Read'],
  view_image: ['Read'],
  list_dir: ['LS', 'Glob'],
  grep_files: ['Grep'],
  web_search: ['WebSearch'],
  spawn_agent: ['Task'],
  update_plan: ['TodoWrite'],
  tool_search: ['ToolSearch'],
};

const codexSession = ['CODEX_SANDBOX*', 'CODEX_THREAD*', 'CODEX_SESSION*', 'CODEX_TOOL_CALL*', 'CODEX_CI'];

export const codex: AgentCli = {
  id: 'codex',
  environment: {
    // Variables seen in Codex's shell. CODEX_HOME, CODEX_API_KEY and others are not marks: people set them in their
    // profiles.
    marks: codexSession,
    session: codexSession,
  },
  clientName: /codex/i,
  program: 'codex',
  install: 'npm install -g @openai/codex',
  choosesModel: true,
  places: {
    project: { folders: ['.codex'], files: {} },
    home: [
      {
        path: '.codex',
        variable: 'CODEX_HOME',
        fixed: {
          folders: ['prompts', 'skills', 'rules', 'plugins'],
          files: { 'config.toml': '', 'hooks.json': '{}\n', 'AGENTS.md': '' },
        },
        shared: ['auth.json', 'sessions'],
      },
    ],
    logins: ['.codex/auth.json'],
  },
  confine: ({ mcp }) => ({
    args: [
      '--sandbox=danger-full-access',
      '--dangerously-bypass-hook-trust',
      `--config=mcp_servers.sekisho.command=${JSON.stringify(mcp.command)}`,
      `--config=mcp_servers.sekisho.args=${JSON.stringify(mcp.args)}`,
      // Codex must not start without the gate's server: nothing could be decided.
      '--config=mcp_servers.sekisho.required=true',
    ],
    files: {},
  }),
  invoke({ model, permissions, prompt, systemPrompt, workingDirectory, server, envFile, hook, confinement }) {
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
        // Codex's own sandbox cannot start inside ours, which replaces it.
        ...(permissions === 'full' || confinement !== undefined
          ? ['--dangerously-bypass-approvals-and-sandbox']
          : ['--sandbox', permissions === 'read' ? 'read-only' : 'workspace-write', '-c', 'approval_policy="never"']),
        ...set('command', server.command),
        ...set('args', server.args),
        // Without `required` the first turn may begin before our server is ready. A role check has no server.
        ...(server.args.includes('mcp') ? set('required', true) : []),
        // These hooks are ours, and no person is present to trust them.
        '--dangerously-bypass-hook-trust',
        ...Object.entries(hookGroups({ hook }, hookedEvents, '.*')).flatMap(([event, groups]) => [
          '-c',
          `hooks.${event}=${inlineToml(groups)}`,
        ]),
        // Every user can read a command line, so it only names the file that holds the token.
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
  hook: {
    events: eventsLikeClaude,
    read(raw) {
      const name = textOf(raw['tool_name']);
      const id = textOf(raw['tool_use_id']) ?? textOf(raw['call_id']);
      return {
        ...sessionLikeClaude(raw),
        tool: name === undefined ? undefined : { name, ...toolOf(name, jsonObjectOf(raw['tool_input'])), id },
        canAsk: false,
      };
    },
    write: writeLikeClaude,
  },
  settings: ['.codex/config.toml', '.codex/hooks.json'],
  // `[features] hooks = false`, and the earlier name of that key.
  hooksOff: /(?:^|[{,.])\s*(?:codex_)?hooks\s*=\s*false\b/m,
  instructions: 'AGENTS.md',
  setup(call) {
    const folder = folderOf(call);
    const hooks = hookGroups(call, hookedEvents, '.*');
    return [
      { path: join(folder, 'hooks.json'), json: { hooks } },
      {
        path: join(folder, 'config.toml'),
        table: 'mcp_servers.sekisho',
        // Without `required` the first turn may begin before our server is ready.
        keys: { ...call.mcp, required: true, env_vars: passedOn },
      },
    ];
  },
  remoteServer: (url, variable) => ({
    file: '~/.codex/config.toml',
    text: `[mcp_servers.sekisho]\nurl = ${JSON.stringify(url)}\nbearer_token_env_var = ${JSON.stringify(variable)}`,
  }),
  trustFolder: (call) => [
    {
      path: join(call.home('.codex', 'CODEX_HOME'), 'config.toml'),
      table: `projects.${JSON.stringify(call.tree)}`,
      keys: { trust_level: 'trusted' },
    },
  ],
  hookTrust: readHookTrust,
  trust: {
    en: 'Codex skips these hooks, without a message, until you trust them: start codex here and choose to trust them when it shows them (or type /hooks). Trust in the folder is not enough. In automation pass --dangerously-bypass-hook-trust; that counts for one session. sekisho status says whether Codex has recorded your trust.',
    ja: 'Codex は、あなたが信頼するまでこれらのフックを黙って無視します。ここで codex を起動し、フックが表示されたら信頼してください (または /hooks)。フォルダーの信頼だけでは足りません。自動化では --dangerously-bypass-hook-trust を付けます (そのセッションだけ有効です)。Codex が信頼を記録したかは sekisho status で確認できます。',
  },
  untrusted: {
    en: 'Codex does not trust this folder: it reads nothing from the project’s own .codex/, so hooks that a project shares are off.',
    ja: 'Codex はこのフォルダーを信頼していません。プロジェクトの .codex/ は読まれず、共有されたフックは働きません。',
  },
};

function inlineToml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inlineToml).join(', ')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value); // A JSON string is a TOML string.
  return `{${Object.entries(value)
    .map(([key, one]) => `${key} = ${inlineToml(one)}`)
    .join(', ')}}`;
}

function folderOf(call: Invocations): string {
  return call.scope === 'shared' ? join(call.tree, '.codex') : call.home('.codex', 'CODEX_HOME');
}

/**
 * Reads a person's trust in our hook. Codex keeps the digest of each trusted hook in the user's config.toml, keyed by
 * the hook's position in its file. Only that digest counts in a session without --dangerously-bypass-hook-trust.
 */
function readHookTrust(call: Invocations, { read, sha256 }: TrustFiles): HookTrust | undefined {
  const isShared = call.scope === 'shared';
  const home = call.home('.codex', 'CODEX_HOME');
  // In a worktree Codex reads the hooks of the main checkout.
  const file = join(isShared ? join(call.repository, '.codex') : home, 'hooks.json');
  const hook = list(object(read(file)['hooks'])['PreToolUse'])
    .flatMap((group, at) => list(group['hooks']).map((handler, index) => ({ group, handler, place: `${at}:${index}` })))
    .find(({ handler }) => ourCommand('codex').test(textOf(handler['command']) ?? ''));
  if (hook === undefined) return undefined;
  const config = read(join(home, 'config.toml'));
  const projects = object(config['projects']);
  const isTrusted = (folder: string) => object(projects[folder])['trust_level'] === 'trusted';
  if (isShared && ![call.tree, call.repository].some(isTrusted)) return 'folder';
  const states = object(object(config['hooks'])['state']);
  // Codex resolves links in CODEX_HOME, but not in the home folder.
  const keys = [file, realpathSync(file)].map((path) => `${path}:pre_tool_use:${hook.place}`);
  const key = keys.find((one) => Object.hasOwn(states, one));
  const { trusted_hash: recorded, enabled } = object(key === undefined ? undefined : states[key]);
  if (enabled === false) return 'disabled';
  if (recorded === undefined) return 'untrusted';
  return recorded === `sha256:${sha256(hookIdentity(hook.group, hook.handler))}` ? 'trusted' : 'changed';
}

/** Builds the JSON that Codex digests: defaults filled in, keys in alphabetical order. */
function hookIdentity({ matcher }: JsonObject, { command, timeout, statusMessage }: JsonObject): string {
  const handler = {
    async: false,
    command,
    statusMessage,
    timeout: Math.max(1, number(timeout) ?? 600),
    type: 'command',
  };
  return JSON.stringify({ event_name: 'pre_tool_use', hooks: [handler], matcher });
}

/** Reads a tool call. Some models edit through the shell: such a call is an edit of the files in its patch. */
function toolOf(name: string, input: JsonObject): Pick<ToolUse, 'names' | 'input'> {
  if (name.startsWith('mcp__')) return { names: mcpNames(name), input };
  const names = nativeNames(table, name);
  const patch = names.includes('Bash')
    ? (shellPatch(input) ?? shellPatch({ ...input, command: undefined }))
    : undefined;
  if (patch === undefined) return { names, input };
  const { text, folder } = patch;
  return {
    names: unique([...names, ...nativeNames(table, 'apply_patch')]),
    input:
      text === undefined || !isOneLine(input)
        ? input
        : { patch: text, ...(folder !== undefined && { workdir: folder }) },
  };
}

const shell = /(?:^|\/)(?:ba|da|z|k|a)?sh$/;

/** Accepts a single key, and in a list only the program itself or a shell: Codex must run the command we read. */
function isOneLine(input: JsonObject): boolean {
  const [given, ...others] = [input['command'], input['cmd']].filter((one) => one !== undefined && one !== null);
  if (others.length > 0) return false;
  if (!Array.isArray(given) || given.length < 3) return true;
  return shell.test(String(given[0])) && /^-\w*c$/.test(String(given[1]));
}

/**
 * Reads Codex's JSON stream. An `error` item is only a warning. `turn.completed` is the end; the process lingers for
 * seconds after it. A call that a hook denied appears only in the log on stderr.
 */
function reader(): StreamReader {
  return {
    read(raw) {
      const line = jsonLine(raw);
      if (line === undefined) return [];
      switch (line['type']) {
        case 'thread.started': {
          const id = textOf(line['thread_id']);
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
    readError(line) {
      const blocked = /(Command|Tool call) blocked by PreToolUse hook: /.exec(line);
      if (blocked === null) return [];
      return [
        { kind: 'denied', tool: blocked[1] === 'Command' ? 'shell' : (/ Tool: (\S+)$/.exec(line)?.[1] ?? 'tool') },
      ];
    },
  };
}

function completed(item: JsonObject): Fact[] {
  const type = String(item['type']);
  if (type === 'agent_message') {
    const said = textOf(item['text']);
    return said === undefined ? [] : [{ kind: 'text', text: said }];
  }
  if (!toolItems.includes(type)) return [];
  const facts: Fact[] = [{ kind: 'tool', name: textOf(item['tool']) ?? type }];
  if (type === 'file_change' && item['status'] === 'completed')
    for (const one of list(item['changes'])) {
      const path = textOf(one['path']);
      if (path !== undefined) facts.push({ kind: 'file', path, change: changes[String(one['kind'])] ?? 'edited' });
    }
  return facts;
}

function tokens(usage: JsonObject) {
  return usageOf({
    inputTokens: number(usage['input_tokens']),
    outputTokens: number(usage['output_tokens']),
    cachedTokens: number(usage['cached_input_tokens']),
  });
}

/** Returns the provider's message if the error is its JSON. */
function message(given: unknown): string {
  const raw = textOf(given) ?? 'the turn failed';
  return textOf(object(object(jsonLine(raw))['error'])['message']) ?? raw;
}

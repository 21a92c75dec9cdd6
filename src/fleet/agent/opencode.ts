import { join } from 'node:path';
import { type JsonObject, jsonObjectOf, textOf } from '../../base/json-object.ts';
import type { AgentCli, Fact, StreamReader } from '../agent-cli.ts';
import type { Invocations } from '../agent-hook.ts';
import { jsonLine, number, object, usageOf } from '../shape/line.ts';
import { awsFiles, googleFiles, isOn } from '../shape/cloud-login.ts';
import { bearer, remoteJson } from '../shape/remote-server.ts';
import { type NameTable, nativeNames, splitNames, unique } from '../shape/tool-names.ts';

const table: NameTable = {
  bash: ['Bash'],
  edit: ['Edit'],
  multiedit: ['Edit'],
  write: ['Write'],
  patch: ['apply_patch', 'Edit', 'Write'],
  apply_patch: ['Edit', 'Write'],
  read: ['Read'],
  list: ['LS', 'Glob'],
  glob: ['Glob'],
  grep: ['Grep'],
  codesearch: ['Grep'],
  webfetch: ['WebFetch'],
  websearch: ['WebSearch'],
  todowrite: ['TodoWrite'],
  todoread: ['TodoWrite'],
  task: ['Task'],
  skill: ['Skill'],
};

/** Files that opencode creates in `.opencode/` as it starts. */
const made = ['node_modules', 'package.json', 'package-lock.json', 'bun.lock', '.gitignore'];

/**
 * npm settings that make npm give up at once. opencode installs a package into each writable settings folder and waits
 * for it before it loads a plugin; without a network npm retries for more than a minute at every start.
 */
const npmSettings = { 'fetch-retries': '0', 'fetch-timeout': '5000' };
const npmLines = Object.entries(npmSettings).map(([key, value]) => `${key}=${value}`);
const npmVariables = Object.fromEntries(
  Object.entries(npmSettings).map(([key, value]) => [`npm_config_${key.replace('-', '_')}`, value]),
);

export const opencode: AgentCli = {
  id: 'opencode',
  environment: { marks: ['OPENCODE'], session: ['OPENCODE', 'OPENCODE_PID'] },
  clientName: /opencode/i,
  program: 'opencode',
  install: 'npm install -g opencode-ai',
  choosesModel: true,
  places: {
    project: {
      folders: ['.opencode'],
      files: {
        'opencode.json': '{}\n',
        'opencode.jsonc': '{}\n',
        // opencode writes this file as it starts, and does not start if it cannot.
        '.opencode/.gitignore': `${made.join('\n')}\n`,
      },
    },
    home: [
      {
        path: '.config/opencode',
        variable: 'XDG_CONFIG_HOME',
        below: 'opencode',
        fixed: {
          folders: ['plugin', 'plugins', 'agent', 'agents', 'command', 'commands', 'tool', 'tools', 'skills'],
          files: {
            'opencode.json': '{}\n',
            'opencode.jsonc': '{}\n',
            'config.json': '{}\n',
            'AGENTS.md': '',
            '.npmrc': '',
          },
        },
        shared: [],
      },
      {
        path: '.local/share/opencode',
        variable: 'XDG_DATA_HOME',
        below: 'opencode',
        fixed: { folders: ['bin'], files: {} },
        shared: ['auth.json'],
      },
      {
        path: '.local/state/opencode',
        variable: 'XDG_STATE_HOME',
        below: 'opencode',
        fixed: { folders: [], files: {} },
        shared: [],
      },
    ],
    logins: ['.local/share/opencode/auth.json', '.local/share/opencode/mcp-auth.json'],
  },
  credentials: (env) => [
    ...(isOn(env['AWS_PROFILE']) ? awsFiles : []),
    ...(isOn(env['GOOGLE_APPLICATION_CREDENTIALS']) || isOn(env['GOOGLE_VERTEX_PROJECT']) ? googleFiles(env) : []),
  ],
  invoke({ model, permissions, prompt, systemPrompt, folder, server, hook }) {
    const config = join(folder, 'opencode.json');
    const plugin = join(folder, 'sekisho.js');
    const entry = { type: 'local', command: [server.command, ...server.args], environment: server.env, enabled: true };
    return {
      args: [
        'run',
        '--format',
        'json',
        ...(permissions === 'full' ? ['--auto'] : []),
        ...(model === undefined ? [] : ['--model', model]),
      ],
      env: { OPENCODE_CONFIG: config, ...npmVariables },
      files: {
        'opencode.json': JSON.stringify(
          {
            mcp: { sekisho: entry },
            plugin: [`file://${plugin}`],
            ...(permissions === 'read' && { permission: { edit: 'deny', bash: 'deny' } }),
          },
          null,
          2,
        ),
        'sekisho.js': pluginOf({ hook }, Object.keys(npmVariables)),
      },
      stdin: systemPrompt === undefined ? prompt : `${systemPrompt}\n\n${prompt}`,
    };
  },
  reader,
  // opencode has plugins instead of hooks; ours passes each event on in this format.
  hook: {
    events: { 'tool.execute.before': 'pre-tool-use', 'tool.execute.after': 'post-tool-use' },
    read(raw) {
      const name = textOf(raw['tool']);
      return {
        tool:
          name === undefined
            ? undefined
            : { name, names: namesOf(name), input: jsonObjectOf(raw['args']), id: textOf(raw['callID']) },
        cwd: textOf(raw['cwd']),
        session: textOf(raw['sessionID']),
        source: undefined,
        repeated: false,
        canAsk: false,
      };
    },
    write: (answer) => (answer.kind === 'deny' || answer.kind === 'ask' ? JSON.stringify({ deny: answer.reason }) : ''),
  },
  settings: [
    'opencode.json',
    'opencode.jsonc',
    '.opencode/.gitignore',
    '.opencode/.npmrc',
    '.opencode/plugin',
    '.opencode/plugins',
    '.config/opencode/opencode.json',
    '.config/opencode/opencode.jsonc',
    '.config/opencode/config.json',
    '.config/opencode/.npmrc',
    '.config/opencode/plugin',
    '.config/opencode/plugins',
  ],
  writes: { made: made.map((name) => `.opencode/${name}`), keys: { 'opencode.json': ['$schema'] } },
  instructions: 'AGENTS.md',
  setup(call) {
    const { command, args } = call.mcp;
    const server = { mcp: { sekisho: { type: 'local', command: [command, ...args], enabled: true } } };
    const plugin = pluginOf(call);
    if (call.scope === 'shared')
      return [
        { path: join(call.tree, '.opencode/plugins/sekisho.js'), text: plugin },
        { path: join(call.tree, '.opencode/.gitignore'), lines: made },
        { path: join(call.tree, '.opencode/.npmrc'), lines: npmLines },
        { path: join(call.tree, 'opencode.json'), json: server },
      ];
    // The plugin is not in the project: opencode fills every `.opencode` folder that it finds with packages.
    const folder = join(call.home('.config', 'XDG_CONFIG_HOME'), 'opencode');
    return [
      { path: join(folder, 'plugins/sekisho.js'), text: plugin },
      { path: join(folder, '.npmrc'), lines: npmLines },
      { path: join(folder, 'opencode.json'), json: server },
    ];
  },
  remoteServer: (url, variable) =>
    remoteJson('~/.config/opencode/opencode.json', {
      mcp: { sekisho: { type: 'remote', url, headers: bearer(`{env:${variable}}`), enabled: true } },
    }),
};

/** The prefix of errors from our plugin. Nothing else in the stream distinguishes a denied call from a failed tool. */
const denied = 'Denied by Sekisho: ';

/**
 * Builds the plugin's code. If the hook cannot answer, the tool does not run; after the tool has run, such an error is
 * ignored. `unset`: variables for opencode's own start, which the agent's commands do not inherit.
 */
function pluginOf(call: Pick<Invocations, 'hook'>, unset: readonly string[] = []): string {
  const deleted = unset.map((name) => `delete env.${name};\n`).join('');
  const cleared = deleted === '' ? '' : `\nconst { env } = process;\n${deleted}`;
  return `// Written by "sekisho init": asks Sekisho before each tool. Run that again instead of editing this.
import { spawnSync } from 'node:child_process';
${cleared}
const ask = (line, question) => {
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', line], { input: JSON.stringify(question), encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr || 'Sekisho could not be asked: run sekisho doctor');
  return stdout.trim() === '' ? {} : JSON.parse(stdout);
};

export const Sekisho = async ({ directory }) => ({
  'tool.execute.before': async ({ tool, sessionID, callID }, { args }) => {
    const { deny } = ask(${JSON.stringify(call.hook('pre-tool-use'))}, { tool, sessionID, callID, args, cwd: directory });
    if (deny) throw new Error(${JSON.stringify(denied)} + deny);
  },
  'tool.execute.after': async ({ tool, sessionID, callID }) => {
    try {
      ask(${JSON.stringify(call.hook('post-tool-use'))}, { tool, sessionID, callID, cwd: directory });
    } catch {}
  },
});
`;
}

/** Returns the names of a tool. MCP tools are `server_tool`, with dots replaced by underscores. */
function namesOf(name: string): readonly string[] {
  if (Object.hasOwn(table, name) || !name.includes('_')) return nativeNames(table, name);
  return unique([name, ...splitNames(name, '_')]);
}

/** Reads opencode's stream: one event per finished call; each step has its own tokens and cost, which are added up. */
function reader(): StreamReader {
  let known = false;
  return {
    read(raw) {
      const line = jsonLine(raw);
      if (line === undefined) return [];
      const facts: Fact[] = [];
      const id = textOf(line['sessionID']);
      if (!known && id !== undefined) facts.push({ kind: 'session', id });
      known ||= id !== undefined;
      const part = object(line['part']);
      if (line['type'] === 'tool_use') facts.push(...used(part));
      if (line['type'] === 'text' && textOf(part['text']) !== undefined)
        facts.push({ kind: 'text', text: String(part['text']) });
      if (line['type'] === 'step_finish') facts.push({ kind: 'usage', usage: stepUsage(part), step: true });
      if (line['type'] === 'error') {
        const error = object(line['error']);
        facts.push({ kind: 'error', message: textOf(object(error['data'])['message']) ?? String(error['name']) });
      }
      return facts;
    },
  };
}

function used(part: JsonObject): Fact[] {
  const name = textOf(part['tool']) ?? 'unknown';
  const state = object(part['state']);
  const facts: Fact[] = [{ kind: 'tool', name }];
  if (textOf(state['error'])?.startsWith(denied) === true) facts.push({ kind: 'denied', tool: name });
  const path = textOf(object(state['input'])['filePath']);
  if (state['status'] !== 'completed' || path === undefined) return facts;
  if (name === 'write')
    facts.push({ kind: 'file', path, change: object(state['metadata'])['exists'] === false ? 'created' : 'edited' });
  if (name === 'edit') facts.push({ kind: 'file', path, change: 'edited' });
  return facts;
}

function stepUsage(part: JsonObject) {
  const tokens = object(part['tokens']);
  return usageOf({
    inputTokens: number(tokens['input']),
    outputTokens: number(tokens['output']),
    cachedTokens: number(object(tokens['cache'])['read']),
    costUsd: number(part['cost']),
  });
}

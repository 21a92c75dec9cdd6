import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Home, claudeBinary, claudeVersion, codexBinary, codexVersion, scriptFolder } from './cli.ts';
import { getPackage } from '../../scripts/get-package.mjs';
import type { Call, Seen } from './model/model.ts';

/** How one agent CLI is driven by a scripted model: its words for what a script wants done. */
export interface Driver {
  readonly id: string;
  readonly version: string;
  /** What a role names as its model. */
  readonly model: string;
  /** The folder that goes before PATH. */
  readonly folder: () => string;
  /** Its own settings in the home, with the model's address; the variables that it needs. */
  furnish(home: Home, modelUrl: string): Readonly<Record<string, string>>;
  /** Its arguments for one prompt, without anybody to be asked. Under `sekisho run` that adds some of its own. */
  line(prompt: string, where: 'run' | 'outside'): readonly string[];
  shell(command: string, seen: Seen): Call;
  /** Makes or overwrites a file with its own tool. */
  write(path: string, text: string, seen: Seen): Call;
  mcp(tool: string, input: object, seen: Seen): Call;
}

const claude: Driver = {
  id: 'claude',
  version: claudeVersion,
  model: 'claude-sonnet-4-5',
  folder: () => dirname(claudeBinary()),
  furnish: (_home, url) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'made-up',
    IS_SANDBOX: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    ENABLE_TOOL_SEARCH: 'false',
  }),
  line: (prompt) => ['-p', prompt, '--output-format', 'stream-json', '--verbose', '--dangerously-skip-permissions'],
  shell: (command) => ({ name: 'Bash', input: { command, description: 'a step' } }),
  write: (path, text) => ({ name: 'Write', input: { file_path: path, content: text } }),
  mcp: (tool, input) => ({ name: `mcp__sekisho__${tool}`, input }),
};

/** The first line that speaks the protocol of 2026. */
const newestClaude: Driver = { ...claude, version: '2.1.326', folder: () => dirname(claudeBinary('2.1.326')) };

const codex: Driver = {
  id: 'codex',
  version: codexVersion,
  model: 'mock-model',
  folder: () => dirname(codexBinary()),
  furnish(home, url) {
    const folder = join(home.folder, '.codex');
    mkdirSync(folder, { recursive: true });
    const provider = `[model_providers.mock]\nname = "mock"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "MOCK_KEY"\n`;
    const trust = `[projects."${home.project}"]\ntrust_level = "trusted"\n`;
    writeFileSync(join(folder, 'config.toml'), `model = "mock-model"\nmodel_provider = "mock"\n${provider}${trust}`);
    return { MOCK_KEY: 'made-up' };
  },
  line: (prompt, where) => [
    'exec',
    '--json',
    '--skip-git-repo-check',
    ...(where === 'run'
      ? ['-c', 'approval_policy="never"']
      : ['--dangerously-bypass-approvals-and-sandbox', '--dangerously-bypass-hook-trust']),
    prompt,
  ],
  shell(command, { tools }) {
    if (tools.includes('exec_command')) return { name: 'exec_command', input: { cmd: command } };
    if (tools.includes('shell_command')) return { name: 'shell_command', input: { command } };
    return { name: 'shell', input: { command: ['bash', '-lc', command] } };
  },
  write(path, text, seen) {
    const patch = `*** Begin Patch\n*** Add File: ${path}\n+${text}\n*** End Patch`;
    return codex.shell(`apply_patch <<'END'\n${patch}\nEND`, seen);
  },
  mcp: (tool, input) => ({ name: tool, namespace: 'mcp__sekisho', input }),
};

/** The name under which the model is offered a tool of ours, however the client spells it. */
const offered = ({ tools }: Seen, tool: string) =>
  tools.find((one) => one.replaceAll(/[.-]/g, '_').endsWith(`sekisho_${tool}`)) ?? tool;

const gemini: Driver = {
  id: 'gemini',
  version: '0.61.0',
  model: 'gemini-2.5-flash',
  folder: () => scriptFolder('@google/gemini-cli', gemini.version),
  furnish(home, url) {
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      general: { disableAutoUpdate: true, enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
    };
    inHome(home, '.gemini/settings.json', settings);
    return { GEMINI_API_KEY: 'made-up', GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: 'true' };
  },
  line: (prompt) => [
    '--model',
    'gemini-2.5-flash',
    '--output-format',
    'stream-json',
    '--skip-trust',
    '--approval-mode',
    'yolo',
    '--prompt',
    prompt,
  ],
  shell: (command) => ({ name: 'run_shell_command', input: { command, description: 'a step' } }),
  write: (path, text) => ({ name: 'write_file', input: { file_path: path, content: text } }),
  mcp: (tool, input, seen) => ({ name: offered(seen, tool), input }),
};

const qwen: Driver = {
  id: 'qwen',
  version: '0.24.4',
  model: 'claude-sonnet-4-5',
  folder: () => scriptFolder('@qwen-code/qwen-code', qwen.version),
  furnish(home, url) {
    inHome(home, '.qwen/settings.json', {
      security: { auth: { selectedType: 'anthropic' }, folderTrust: { enabled: false } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
    });
    return { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'made-up', ANTHROPIC_MODEL: 'claude-sonnet-4-5' };
  },
  line: (prompt) => ['--output-format', 'stream-json', '--approval-mode', 'yolo', '--prompt', prompt],
  shell: (command) => ({ name: 'run_shell_command', input: { command, description: 'a step', is_background: false } }),
  write: (path, text) => ({ name: 'write_file', input: { file_path: path, content: text } }),
  // It shows names only, some with a hash behind them, and calls them through a tool of its own.
  mcp(tool, input, seen) {
    const name = new RegExp(`mcp__sekisho__${tool}\\w*`).exec(JSON.stringify(seen.body))?.[0] ?? offered(seen, tool);
    return seen.tools.includes('tool_call')
      ? { name: 'tool_call', input: { name, arguments: input } }
      : { name, input };
  },
};

const copilot: Driver = {
  id: 'copilot',
  version: '1.0.102',
  model: 'claude-sonnet-4.5',
  folder: () => scriptFolder('@github/copilot', copilot.version),
  furnish: (_home, url) => ({
    COPILOT_PROVIDER_TYPE: 'anthropic',
    COPILOT_PROVIDER_BASE_URL: url,
    COPILOT_PROVIDER_API_KEY: 'made-up',
    COPILOT_MODEL: 'claude-sonnet-4.5',
    COPILOT_OFFLINE: 'true',
  }),
  line: (prompt) => ['--output-format', 'json', '--trust-folder', '--allow-all-tools', '--prompt', prompt],
  shell: (command) => ({ name: 'bash', input: { command, description: 'a step', sessionId: 's', async: false } }),
  write: (path, text) => ({ name: 'create', input: { path, file_text: text } }),
  mcp: (tool, input, seen) => ({ name: offered(seen, tool), input }),
};

const opencode: Driver = {
  id: 'opencode',
  version: '1.18.33',
  model: 'mock/mock-model',
  folder: () => dirname(getPackage('opencode-ai', opencode.version)) + '/opencode-linux-x64/bin',
  furnish(home, url) {
    inHome(home, '.config/opencode/opencode.json', {
      model: 'mock/mock-model',
      autoupdate: false,
      provider: {
        mock: {
          npm: '@ai-sdk/anthropic',
          options: { baseURL: `${url}/v1`, apiKey: 'made-up' },
          models: { 'mock-model': { name: 'mock-model' } },
        },
      },
    });
    return { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' };
  },
  line: (prompt) => ['run', '--format', 'json', '--auto', prompt],
  shell: (command) => ({ name: 'bash', input: { command, description: 'a step' } }),
  write: (path, text) => ({ name: 'write', input: { filePath: path, content: text } }),
  mcp: (tool, input, seen) => ({ name: offered(seen, tool), input }),
};

function inHome(home: Home, path: string, settings: object): void {
  mkdirSync(dirname(join(home.folder, path)), { recursive: true });
  writeFileSync(join(home.folder, path), JSON.stringify(settings));
}

export const drivers = { claude, newestClaude, codex, gemini, qwen, copilot, opencode };

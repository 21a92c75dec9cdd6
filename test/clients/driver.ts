import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Home } from './cli.ts';
import { claudeBinary, codexBinary } from './cli.ts';
import type { Call, Seen } from './model/model.ts';

/** How one agent CLI is driven by a scripted model: its words for what a script wants done. */
export interface Driver {
  readonly id: string;
  /** The folder that goes before PATH. */
  readonly folder: () => string;
  /** Its own settings in the home, with the model's address; the variables that it needs. */
  furnish(home: Home, modelUrl: string): Readonly<Record<string, string>>;
  /** Its arguments for one prompt, without anybody to be asked. */
  line(prompt: string): readonly string[];
  shell(command: string, seen: Seen): Call;
  /** Makes or overwrites a file with its own tool. */
  write(path: string, text: string, seen: Seen): Call;
  mcp(tool: string, input: object, seen: Seen): Call;
}

const claude: Driver = {
  id: 'claude',
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

const codex: Driver = {
  id: 'codex',
  folder: () => dirname(codexBinary()),
  furnish(home, url) {
    const folder = join(home.folder, '.codex');
    mkdirSync(folder, { recursive: true });
    const provider = `[model_providers.mock]\nname = "mock"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "MOCK_KEY"\n`;
    const trust = `[projects."${home.project}"]\ntrust_level = "trusted"\n`;
    writeFileSync(join(folder, 'config.toml'), `model = "mock-model"\nmodel_provider = "mock"\n${provider}${trust}`);
    return { MOCK_KEY: 'made-up' };
  },
  line: (prompt) => ['exec', '--json', '--skip-git-repo-check', '-c', 'approval_policy="never"', prompt],
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

export const drivers = { claude, codex };

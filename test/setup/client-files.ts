import { chmodSync, lstatSync, mkdirSync, readFileSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export const claudeSettings = `{
    // Mine, with four spaces.
    "permissions": { "allow": ["Read"] },
    "hooks": {
        "PreToolUse": [
            { "matcher": "Bash", "hooks": [{ "type": "command", "command": "mine.sh" }] }, /* and a comma too many */
        ]
    }
}`;

/** Files of clients as people have them, seen from the project: comments, tabs, one line, no newline at the end, another line ending. */
export const personalFiles: Readonly<Record<string, string>> = {
  '../.claude/settings.json': claudeSettings,
  '../.claude.json': '{"projects":{"/elsewhere":{"mcpServers":{}}},"numStartups":3}',
  '../.codex/config.toml': '# mine\nmodel = "x" # best\r\n\n[mcp_servers.other]\nargs = [\n  "a", # one\n]\n',
  '../.gemini/settings.json': '{\r\n\t"theme": "dark"\r\n}\r\n',
  '../.copilot/mcp-config.json': '',
  '../.config/opencode/opencode.json': '{\n\t// which one\n\t"model": "a/b"\n}\n',
  '../.config/Claude/claude_desktop_config.json': '\uFEFF{ "mcpServers": { "x": { "command": "y" } } }\n',
  '.vscode/mcp.json': '{\n  "inputs": [], // none\n  "servers": {},\n}\n',
  'AGENTS.md': '# Mine\nno newline at the end',
  'GEMINI.md': '# Gemini\n\n',
  '.sekisho/config.yaml': '# My own words\nlang: en # really\n',
};

/** Files that a team has in its project. */
export const teamFiles: Readonly<Record<string, string>> = {
  '.claude/settings.json': claudeSettings,
  '.claude/settings.local.json': '{"permissions":{"deny":["WebFetch"]}}',
  '.mcp.json': '{ "mcpServers": { "theirs": { "command": "theirs" } } }',
  '.codex/config.toml': 'model = "y"\r\n[features]\r\nfast = true\r\n',
  '.codex/hooks.json': '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"theirs.sh"}]}]}}',
  '.cursor/hooks.json': '{ "version": 1, "hooks": { "stop": [{ "command": "theirs.sh" }] } }\n',
  '.cursor/mcp.json': '{\n\t"mcpServers": {}\n}',
  '.gemini/settings.json': '{ "ui": { "theme": "light" } /* ours */ }\n',
  '.qwen/settings.json': '{\r\n  "$version": 4\r\n}',
  '.github/hooks/theirs.json': '{ "version": 1, "hooks": {} }\n',
  '.opencode/plugins/theirs.js': 'export default async () => ({});\n',
  'opencode.json': '{ "$schema": "https://opencode.ai/config.json", "model": "a/b" }',
  'CLAUDE.md': '# Ours\r\n\r\nTabs.\r\n',
  'QWEN.md': '',
  '.git/info/exclude': '# mine\n*.tmp\n!keep.tmp',
};

/** Writes them below a project. `mode` must survive what others write to them. */
export function writeFiles(project: string, files: Readonly<Record<string, string>>, mode = 0o644): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(project, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, mode);
  }
}

/** Every file, folder and link below a folder with its mode, byte for byte. */
export function readTree(folder: string, except: readonly string[]): Readonly<Record<string, string>> {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => !except.some((one) => path.startsWith(one)));
  return Object.fromEntries(
    found.map((path) => {
      const stat = lstatSync(path);
      const content = stat.isFile()
        ? readFileSync(path).toString('base64')
        : stat.isDirectory()
          ? 'folder'
          : `link to ${readlinkSync(path)}`;
      return [relative(folder, path), `${(stat.mode & 0o777).toString(8)} ${content}`];
    }),
  );
}

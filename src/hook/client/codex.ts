import { eventsLikeClaude, hookGroups, writeLikeClaude } from '../claude-shape.ts';
import type { HookClient } from '../client.ts';
import type { NameTable } from '../names.ts';
import { mcpNames, nativeNames } from '../names.ts';
import { plainOf, textOf } from '../plain.ts';

const table: NameTable = {
  apply_patch: ['Edit', 'Write'],
  shell: ['Bash'],
  shell_command: ['Bash'],
  local_shell: ['Bash'],
  exec_command: ['Bash'],
  unified_exec: ['Bash'],
  write_stdin: ['Bash'],
  // Code mode: one program that calls the other tools, whose own hooks fire too.
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

export const codex: HookClient = {
  id: 'codex',
  events: eventsLikeClaude,
  read(raw) {
    const name = textOf(raw['tool_name']);
    return {
      tool:
        name === undefined
          ? undefined
          : {
              name,
              names: name.startsWith('mcp__') ? mcpNames(name) : nativeNames(table, name),
              input: plainOf(raw['tool_input']),
              id: textOf(raw['tool_use_id']) ?? textOf(raw['call_id']),
            },
      cwd: textOf(raw['cwd']),
      session: textOf(raw['session_id']),
      source: textOf(raw['source']),
      repeated: raw['stop_hook_active'] === true,
      canAsk: false,
    };
  },
  write: writeLikeClaude,
  setup: (call) => [
    {
      path: '.codex/hooks.json',
      json: {
        hooks: hookGroups(
          call,
          { PreToolUse: 'pre-tool-use', PostToolUse: 'post-tool-use', SessionStart: 'session-start', Stop: 'stop' },
          '.*',
        ),
      },
    },
    {
      path: '.codex/config.toml',
      table: 'mcp_servers.sekisho',
      // A JSON string is a TOML string.
      toml: `command = ${JSON.stringify(call.mcp.command)}\nargs = ${JSON.stringify(call.mcp.args)}\n`,
    },
  ],
};

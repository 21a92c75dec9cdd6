import { isPlain } from '../../kernel/plain.ts';
import { eventsLikeClaude, hookGroups, writeLikeClaude } from '../claude-shape.ts';
import type { HookClient } from '../client.ts';
import type { NameTable } from '../names.ts';
import { mcpNames, nativeNames } from '../names.ts';
import { plainOf, textOf } from '../plain.ts';

const table: NameTable = {
  Agent: ['Task'],
  MultiEdit: ['Edit'],
  // Both run a command line.
  Monitor: ['Bash'],
  PowerShell: ['Bash'],
};

/** Under these nobody is asked: what would be a question passes. */
const unasked = ['bypassPermissions', 'dontAsk'];

export const claude: HookClient = {
  id: 'claude',
  events: eventsLikeClaude,
  read(raw) {
    const name = textOf(raw['tool_name']);
    const server = isPlain(raw['mcp_server']) ? textOf(raw['mcp_server']['name']) : undefined;
    return {
      tool:
        name === undefined
          ? undefined
          : {
              name,
              names: name.startsWith('mcp__') ? mcpNames(name, server) : nativeNames(table, name),
              input: plainOf(raw['tool_input']),
              id: textOf(raw['tool_use_id']),
            },
      cwd: textOf(raw['cwd']),
      session: textOf(raw['session_id']),
      source: textOf(raw['source']),
      repeated: raw['stop_hook_active'] === true,
      canAsk: !unasked.includes(textOf(raw['permission_mode']) ?? ''),
    };
  },
  write: writeLikeClaude,
  setup: (call) => [
    {
      path: '.claude/settings.json',
      json: {
        hooks: hookGroups(
          call,
          { PreToolUse: 'pre-tool-use', PostToolUse: 'post-tool-use', SessionStart: 'session-start', Stop: 'stop' },
          '*',
        ),
      },
    },
    { path: '.mcp.json', json: { mcpServers: { sekisho: { type: 'stdio', ...call.mcp } } } },
  ],
};

import type { HookClient } from '../client.ts';
import type { NameTable } from '../names.ts';
import { mcpNames, nativeNames, splitNames, unique } from '../names.ts';
import { plainOf, textOf } from '../plain.ts';

const table: NameTable = {
  bash: ['Bash'],
  powershell: ['Bash'],
  write_bash: ['Bash'],
  read_bash: ['Bash'],
  stop_bash: ['Bash'],
  write_powershell: ['Bash'],
  view: ['Read'],
  create: ['Write'],
  edit: ['Edit'],
  str_replace: ['Edit'],
  str_replace_editor: ['Edit', 'Write'],
  apply_patch: ['Edit', 'Write'],
  glob: ['Glob'],
  grep: ['Grep'],
  rg: ['Grep'],
  web_fetch: ['WebFetch'],
  web_search: ['WebSearch'],
  task: ['Task'],
  skill: ['Skill'],
  update_todo: ['TodoWrite'],
};

export const copilot: HookClient = {
  id: 'copilot',
  events: {
    preToolUse: 'pre-tool-use',
    postToolUse: 'post-tool-use',
    sessionStart: 'session-start',
    agentStop: 'stop',
  },
  read(raw) {
    // camelCase, or snake_case where the hook was configured in PascalCase.
    const name = textOf(raw['toolName']) ?? textOf(raw['tool_name']);
    return {
      tool:
        name === undefined
          ? undefined
          : {
              name,
              names: namesOf(name),
              input: plainOf(raw['toolArgs'] ?? raw['tool_input']),
              id: textOf(raw['toolCallId']) ?? textOf(raw['tool_use_id']),
            },
      cwd: textOf(raw['cwd']),
      session: textOf(raw['sessionId']) ?? textOf(raw['session_id']),
      source: textOf(raw['source']),
      repeated: raw['stopHookActive'] === true || raw['stop_hook_active'] === true,
      // Its documentation: only "deny" is processed. A question would let the call through.
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
  setup: (call) => [
    {
      path: '.github/hooks/sekisho.json',
      json: {
        version: 1,
        hooks: Object.fromEntries(
          Object.entries(copilot.events).map(([name, event]) => [name, [{ type: 'command', bash: call.hook(event) }]]),
        ),
      },
    },
    { path: '.mcp.json', json: { mcpServers: { sekisho: { type: 'stdio', ...call.mcp } } } },
  ],
};

/** MCP tools are `server-tool`, dots as dashes; its own have none. */
function namesOf(name: string): readonly string[] {
  if (name.startsWith('mcp__')) return mcpNames(name);
  if (!Object.hasOwn(table, name) && name.includes('-')) return unique([name, ...splitNames(name, '-')]);
  return nativeNames(table, name);
}

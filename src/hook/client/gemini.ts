import { hookGroups, writeLikeClaude } from '../claude-shape.ts';
import type { HookClient } from '../client.ts';
import type { NameTable } from '../names.ts';
import { mcpNames, nativeNames, splitNames, unique } from '../names.ts';
import type { Plain } from '../../kernel/plain.ts';
import { plainOf, textOf } from '../plain.ts';

const table: NameTable = {
  run_shell_command: ['Bash'],
  write_file: ['Write'],
  replace: ['Edit'],
  edit: ['Edit'],
  read_file: ['Read'],
  read_many_files: ['Read'],
  list_directory: ['LS', 'Glob'],
  glob: ['Glob'],
  search_file_content: ['Grep'],
  grep_search: ['Grep'],
  google_web_search: ['WebSearch'],
  web_fetch: ['WebFetch'],
  write_todos: ['TodoWrite'],
  delegate_to_agent: ['Task'],
  codebase_investigator: ['Task'],
  activate_skill: ['Skill'],
};

export const gemini: HookClient = {
  id: 'gemini',
  events: { BeforeTool: 'pre-tool-use', AfterTool: 'post-tool-use', SessionStart: 'session-start', AfterAgent: 'stop' },
  read(raw) {
    const name = textOf(raw['tool_name']);
    return {
      tool:
        name === undefined
          ? undefined
          : {
              name,
              names: namesOf(name, plainOf(raw['mcp_context'])),
              input: plainOf(raw['tool_input']),
              id: textOf(raw['tool_use_id']),
            },
      cwd: textOf(raw['cwd']),
      session: textOf(raw['session_id']),
      source: textOf(raw['source']),
      repeated: raw['stop_hook_active'] === true,
      canAsk: false,
    };
  },
  write(answer) {
    if (answer.kind === 'context' || answer.kind === 'none') return writeLikeClaude(answer);
    return JSON.stringify({ decision: 'deny', reason: answer.reason });
  },
  setup: (call) => [
    {
      path: '.gemini/settings.json',
      json: { hooks: hookGroups(call, gemini.events, '.*'), mcpServers: { sekisho: call.mcp } },
    },
  ],
};

/** `mcp_probe_ping` as 0.61 says it, `mcp__probe__ping` as its documentation does; the context tells them apart for sure. */
function namesOf(name: string, context: Plain): readonly string[] {
  const server = textOf(context['server_name']);
  const tool = textOf(context['tool_name']);
  if (server !== undefined && tool !== undefined) return unique([name, `mcp__${server}__${tool}`, tool]);
  if (name.startsWith('mcp__')) return mcpNames(name);
  if (name.startsWith('mcp_')) return unique([name, ...splitNames(name.slice(4), '_')]);
  return nativeNames(table, name);
}

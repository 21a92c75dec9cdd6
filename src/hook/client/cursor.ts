import type { HookClient, ToolUse } from '../client.ts';
import type { NameTable } from '../names.ts';
import { mcpNames, nativeNames, unique } from '../names.ts';
import type { Plain } from '../../kernel/plain.ts';
import { plainOf, textOf } from '../plain.ts';

const table: NameTable = {
  Shell: ['Bash'],
  Write: ['Edit'],
  StrReplace: ['Edit'],
  TabWrite: ['Edit'],
  ApplyPatch: ['Edit', 'Write'],
  Delete: ['Edit', 'Write'],
  EditNotebook: ['NotebookEdit'],
  TabRead: ['Read'],
  LS: ['Glob'],
  SemanticSearch: ['Grep'],
};

export const cursor: HookClient = {
  id: 'cursor',
  events: {
    preToolUse: 'pre-tool-use',
    beforeShellExecution: 'pre-tool-use',
    beforeMCPExecution: 'pre-tool-use',
    beforeReadFile: 'pre-tool-use',
    postToolUse: 'post-tool-use',
    postToolUseFailure: 'post-tool-use',
    sessionStart: 'session-start',
    stop: 'stop',
  },
  read(raw) {
    const event = textOf(raw['hook_event_name']);
    const roots = Array.isArray(raw['workspace_roots']) ? raw['workspace_roots'] : [];
    return {
      tool: toolOf(event, raw),
      cwd: textOf(raw['cwd']) ?? textOf(roots[0]),
      session: textOf(raw['conversation_id']) ?? textOf(raw['session_id']),
      source: textOf(raw['source']),
      repeated: typeof raw['loop_count'] === 'number' && raw['loop_count'] > 0,
      // `preToolUse` takes the word, but does not ask.
      canAsk: event === 'beforeShellExecution' || event === 'beforeMCPExecution',
    };
  },
  write(answer) {
    switch (answer.kind) {
      case 'none':
        // It calls empty output invalid; an empty object holds no decision either.
        return '{}';
      case 'deny':
      case 'ask':
        return JSON.stringify({
          permission: answer.kind,
          user_message: answer.reason,
          agent_message: answer.reason,
        });
      case 'context':
        return JSON.stringify({ additional_context: answer.text });
      case 'block':
        return JSON.stringify({ followup_message: answer.reason });
    }
  },
  setup: (call) => [
    {
      path: '.cursor/hooks.json',
      json: {
        version: 1,
        hooks: {
          preToolUse: [{ command: call.hook('pre-tool-use') }],
          // The only event that tells which server a tool belongs to.
          beforeMCPExecution: [{ command: call.hook('pre-tool-use') }],
          postToolUse: [{ command: call.hook('post-tool-use') }],
          sessionStart: [{ command: call.hook('session-start') }],
          stop: [{ command: call.hook('stop') }],
        },
      },
    },
    { path: '.cursor/mcp.json', json: { mcpServers: { sekisho: call.mcp } } },
  ],
};

function toolOf(event: string | undefined, raw: Plain): ToolUse | undefined {
  const id = textOf(raw['tool_use_id']);
  if (event === 'beforeShellExecution')
    return { name: 'Shell', names: nativeNames(table, 'Shell'), input: { command: raw['command'] }, id };
  if (event === 'beforeReadFile')
    return { name: 'Read', names: nativeNames(table, 'Read'), input: { file_path: raw['file_path'] }, id };
  const name = textOf(raw['tool_name']);
  if (name === undefined) return undefined;
  const input = plainOf(raw['tool_input']);
  const server = textOf(raw['mcp_server_name']);
  if (event === 'beforeMCPExecution' || name.startsWith('MCP:'))
    return { name, names: mcpNamesOf(name.replace(/^MCP:/, ''), server), input, id };
  return { name, names: name.startsWith('mcp__') ? mcpNames(name) : nativeNames(table, name), input, id };
}

/**
 * `preToolUse` does not tell the server: then only patterns that leave it open can match the long name, and a tool
 * named like one of ours passes until `beforeMCPExecution`, which does tell.
 */
function mcpNamesOf(tool: string, server: string | undefined): readonly string[] {
  return unique([`mcp__${server ?? ''}__${tool}`, tool]);
}

import { join } from 'node:path';
import { type JsonObject, jsonObjectOf, textOf } from '../../base/json-object.ts';
import type { AgentClient } from '../agent-cli.ts';
import type { AgentHook, HookAnswer, Invocations } from '../agent-hook.ts';
import { momentOf, writeLikeClaude } from '../shape/claude-hook.ts';
import { copilotNames, copilotTools } from '../shape/copilot-tools.ts';
import { type NameTable, joinedMcpNames, mcpNames, nativeNames } from '../shape/tool-names.ts';

/** Its tools. `create_directory` is left out: an empty folder changes nothing, and `create_file` makes those that it needs. */
const table: NameTable = {
  create_file: ['Write'],
  replace_string_in_file: ['Edit'],
  multi_replace_string_in_file: ['Edit'],
  // Of a file that is not there they make one.
  insert_edit_into_file: ['Edit', 'Write'],
  apply_patch: ['Edit', 'Write'],
  edit_files: ['Edit', 'Write'],
  edit_notebook_file: ['NotebookEdit'],
  create_new_jupyter_notebook: ['NotebookEdit', 'Write'],
  create_new_workspace: ['Write'],
  vscode_renameSymbol: ['Edit'],
  // The names under which the extension registers them, and those in the examples of the documentation.
  copilot_createFile: ['Write'],
  copilot_replaceString: ['Edit'],
  copilot_multiReplaceString: ['Edit'],
  copilot_insertEdit: ['Edit', 'Write'],
  copilot_applyPatch: ['Edit', 'Write', 'apply_patch'],
  copilot_editFiles: ['Edit', 'Write'],
  copilot_editNotebook: ['NotebookEdit'],
  createFile: ['Write'],
  editFiles: ['Edit', 'Write'],
  runTerminalCommand: ['Bash'],
  // Whatever runs a program of the agent's choice.
  run_in_terminal: ['Bash'],
  send_to_terminal: ['Bash'],
  get_terminal_output: ['Bash'],
  kill_terminal: ['Bash'],
  run_task: ['Bash'],
  create_and_run_task: ['Bash', 'Write'],
  get_task_output: ['Bash'],
  runTests: ['Bash'],
  run_notebook_cell: ['Bash'],
  run_vscode_command: ['Bash'],
  install_extension: ['Bash'],
  read_file: ['Read'],
  view_image: ['Read'],
  get_errors: ['Read'],
  get_changed_files: ['Read'],
  read_notebook_cell_output: ['Read'],
  copilot_getNotebookSummary: ['Read'],
  terminal_last_command: ['Read'],
  terminal_selection: ['Read'],
  list_dir: ['LS', 'Glob'],
  read_project_structure: ['LS', 'Glob'],
  file_search: ['Glob'],
  test_search: ['Glob'],
  grep_search: ['Grep'],
  semantic_search: ['Grep'],
  search_workspace_symbols: ['Grep'],
  vscode_listCodeUsages: ['Grep'],
  fetch_webpage: ['WebFetch'],
  open_browser_page: ['WebFetch'],
  navigate_page: ['WebFetch'],
  read_page: ['WebFetch'],
  click_element: ['WebFetch'],
  type_in_page: ['WebFetch'],
  run_playwright_code: ['WebFetch'],
  github_repo: ['WebSearch'],
  github_text_search: ['WebSearch'],
  runSubagent: ['Task'],
  search_subagent: ['Task'],
  explore_subagent: ['Task'],
  execution_subagent: ['Task'],
  manage_todo_list: ['TodoWrite'],
  skill: ['Skill'],
};

const events: AgentHook['events'] = {
  PreToolUse: 'pre-tool-use',
  PostToolUse: 'post-tool-use',
  SessionStart: 'session-start',
  Stop: 'stop',
};

/** The agents of VS Code itself. Those of other clients that it hosts ask by the files of those clients. */
export const vscode: AgentClient = {
  id: 'vscode',
  // Since 1.121, in the terminals of its agents. TERM_PROGRAM and VSCODE_… are set in those of people too.
  environment: { marks: ['COPILOT_AGENT'], session: ['COPILOT_AGENT'] },
  clientName: /visual studio code|vscod|^code - oss/i,
  program: 'code',
  otherNames: ['code-insiders', 'codium'],
  hook: {
    sharedFiles: { clients: ['claude', 'copilot'], isOwn },
    events,
    read(raw) {
      const name = textOf(raw['tool_name']);
      return {
        tool:
          name === undefined
            ? undefined
            : { name, names: namesOf(name), input: jsonObjectOf(raw['tool_input']), id: textOf(raw['tool_use_id']) },
        cwd: textOf(raw['cwd']),
        session: textOf(raw['session_id']) ?? textOf(raw['sessionId']),
        source: textOf(raw['source']),
        repeated: raw['stop_hook_active'] === true,
        ...momentOf(raw['timestamp']),
        // A question of a hook is put to the person in every mode, also where all else is approved without one.
        canAsk: true,
      };
    },
    write,
  },
  settings: [
    '.github/hooks',
    '.copilot/hooks',
    '.vscode/mcp.json',
    '.vscode/settings.json',
    '.config/Code/User/settings.json',
    '.config/Code/User/mcp.json',
  ],
  hooksOff: /"chat\.useHooks"\s*:\s*false|"chat\.hookFilesLocations"\s*:\s*\{[^}]*"\.github\/hooks"\s*:\s*false/,
  instructions: 'AGENTS.md',
  setup(call) {
    const json = { hooks: hooksOf(call) };
    // Every version reads the project's folder; the user's, which newer ones read too, is there in all worktrees.
    // The name is not that of Copilot's file in both, which the fleet writes where it is missing.
    const folders = [...(call.scope === 'own' ? [call.home('.copilot/hooks')] : []), join(call.tree, '.github/hooks')];
    const server = { type: 'stdio', ...call.mcp, cwd: '${workspaceFolder}' };
    return [
      ...folders.map((folder) => ({ path: join(folder, 'sekisho-vscode.json'), json })),
      { path: join(call.tree, '.vscode/mcp.json'), json: { servers: { sekisho: server } } },
    ];
  },
  trust: {
    en: 'VS Code asks once whether to trust this folder and whether to start the server. Its hooks are a preview, which an organization can switch off: sekisho status shows whether it asks.',
    ja: 'VS Code は、このフォルダーを信頼するか、サーバーを起動してよいかを一度だけ確認します。VS Code のフックはプレビュー機能で、組織の設定で無効にできます。問い合わせが来ているかは sekisho status でわかります。',
  },
};

function hooksOf(call: Invocations): JsonObject {
  return Object.fromEntries(
    Object.entries(events).map(([name, event]) => [name, [{ type: 'command', command: call.hook(event) }]]),
  );
}

/** Copilot CLI runs the hooks of this file too, with names of its own. */
function namesOf(name: string): readonly string[] {
  if (name.startsWith('mcp__')) return mcpNames(name);
  if (name.startsWith('mcp_')) return joinedMcpNames(name);
  return Object.hasOwn(table, name) ? nativeNames(table, name) : copilotNames(name);
}

/**
 * It ignores the matchers of Claude Code's files and reads Copilot's as its own. By the names of tools that neither of both
 * has, and by what only VS Code writes: the mark in its ids of calls, the place of its transcripts, and up to 1.110 the
 * spelling of a field.
 */
function isOwn(raw: JsonObject): boolean {
  const tool = textOf(raw['tool_name']) ?? '';
  return (
    (Object.hasOwn(table, tool) && !Object.hasOwn(copilotTools, tool)) ||
    /^mcp_[^_]/.test(tool) ||
    /__vscode-\d+$/.test(textOf(raw['tool_use_id']) ?? '') ||
    /[\\/]github\.copilot-chat[\\/]/i.test(textOf(raw['transcript_path']) ?? '') ||
    (raw['hookEventName'] !== undefined && raw['toolName'] === undefined)
  );
}

/** As Claude Code's, but for the end of a turn. */
function write(answer: HookAnswer): string {
  if (answer.kind !== 'block') return writeLikeClaude(answer);
  const { reason } = answer;
  return JSON.stringify({ hookSpecificOutput: { hookEventName: 'Stop', decision: 'block', reason } });
}

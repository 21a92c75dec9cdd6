import { join } from 'node:path';
import { type JsonObject, textOf } from '../../base/json-object.ts';
import type { AgentClient } from '../agent-cli.ts';
import type { HookAnswer, Invocations } from '../agent-hook.ts';
import { hookedEvents, momentOf, readLikeClaude, writeLikeClaude } from '../shape/claude-hook.ts';
import { copilotNames, copilotTools } from '../shape/copilot-tools.ts';
import { type NameTable, joinedMcpNames, mcpNames, nativeNames } from '../shape/tool-names.ts';

/** VS Code's tools. `create_directory` is left out, because an empty folder changes nothing. */
const table: NameTable = {
  create_file: ['Write'],
  replace_string_in_file: ['Edit'],
  multi_replace_string_in_file: ['Edit'],
  // These tools create a missing file.
  insert_edit_into_file: ['Edit', 'Write'],
  apply_patch: ['Edit', 'Write'],
  edit_files: ['Edit', 'Write'],
  edit_notebook_file: ['NotebookEdit'],
  create_new_jupyter_notebook: ['NotebookEdit', 'Write'],
  create_new_workspace: ['Write'],
  vscode_renameSymbol: ['Edit'],
  // Names under which the extension registers its tools, and names from the documentation's examples.
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
  // Tools that run a program the agent chooses.
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

/** VS Code's own agents. Agents of other clients that it hosts use the hook files of those clients. */
export const vscode: AgentClient = {
  id: 'vscode',
  // VS Code sets this in its agents' terminals since 1.121. It also sets TERM_PROGRAM and VSCODE_… in people's
  // terminals.
  environment: { marks: ['COPILOT_AGENT'], session: ['COPILOT_AGENT'] },
  clientName: /visual studio code|vscod|^code - oss/i,
  program: 'code',
  otherNames: ['code-insiders', 'codium'],
  hook: {
    sharedFiles: { clients: ['claude', 'copilot'], isOwn },
    events: hookedEvents,
    read(raw) {
      return {
        ...readLikeClaude(raw, namesOf),
        session: textOf(raw['session_id']) ?? textOf(raw['sessionId']),
        ...momentOf(raw['timestamp']),
        // VS Code asks the person in every mode, even when everything else is approved automatically.
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
    // Every version reads the project's folder. Newer ones also read the user's, which applies to all worktrees. In
    // both, the file's name differs from Copilot's, which the fleet writes if it is missing.
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
    Object.entries(hookedEvents).map(([name, event]) => [name, [{ type: 'command', command: call.hook(event) }]]),
  );
}

/** Returns the names of a tool. Copilot CLI also runs the hooks of this file, with its own names. */
function namesOf(name: string): readonly string[] {
  if (name.startsWith('mcp__')) return mcpNames(name);
  if (name.startsWith('mcp_')) return joinedMcpNames(name);
  return Object.hasOwn(table, name) ? nativeNames(table, name) : copilotNames(name);
}

/**
 * Whether VS Code sent this input. It runs the files of Claude Code (ignoring their matchers) and of Copilot too. VS
 * Code is recognized by tool names that neither of them has, by the mark in its call ids, by the path of its
 * transcripts, and up to 1.110 by the spelling of a field.
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

/** Formats the output as Claude Code does, except for the end of a turn. */
function write(answer: HookAnswer): string {
  if (answer.kind !== 'block') return writeLikeClaude(answer);
  const { reason } = answer;
  return JSON.stringify({ hookSpecificOutput: { hookEventName: 'Stop', decision: 'block', reason } });
}

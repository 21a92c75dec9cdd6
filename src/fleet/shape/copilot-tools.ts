import { type NameTable, mcpNames, nativeNames, splitNames, unique } from './tool-names.ts';

/** The tools of Copilot CLI, which also runs the hooks of Claude Code and VS Code. */
export const copilotTools: NameTable = {
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

/** Returns a tool's names. MCP tools are `server-tool`, with dashes for dots; Copilot's own have no dashes. */
export function copilotNames(name: string): readonly string[] {
  if (name.startsWith('mcp__')) return mcpNames(name);
  if (!Object.hasOwn(copilotTools, name) && name.includes('-')) return unique([name, ...splitNames(name, '-')]);
  return nativeNames(copilotTools, name);
}

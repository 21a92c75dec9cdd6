type Spelling = Omit<Shape, 'asker'> & { readonly asker?: string };

/** How eight clients spell the same call. */
export interface Shape {
  /** Whose hook file the question comes through. */
  readonly client: string;
  readonly asker: string;
  shell(command: string): object;
  write(path: string, content?: string): object;
  edit(path: string): object;
  read(path: string): object;
}

const like = (tools: Readonly<Record<'shell' | 'write' | 'edit' | 'read', string>>, client: string): Spelling => {
  const call = (tool: string, input: object) => ({ session_id: 's', tool_name: tool, tool_input: input });
  return {
    client,
    shell: (command) => call(tools.shell, { command }),
    write: (path, content = 'x') => call(tools.write, { file_path: path, content }),
    edit: (path) => call(tools.edit, { file_path: path, old_string: 'a', new_string: 'b' }),
    read: (path) => call(tools.read, { file_path: path }),
  };
};

const patch = (head: string, path: string, line: string) =>
  `*** Begin Patch\n*** ${head} File: ${path}\n${line}\n*** End Patch`;

const spellings: readonly Spelling[] = [
  like({ shell: 'Bash', write: 'Write', edit: 'Edit', read: 'Read' }, 'claude'),
  {
    client: 'codex',
    shell: (command) => ({ session_id: 's', tool_name: 'exec_command', tool_input: { cmd: command } }),
    write: (path, content = 'x') => ({
      session_id: 's',
      tool_name: 'apply_patch',
      tool_input: { command: patch('Add', path, `+${content}`) },
    }),
    edit: (path) => ({
      session_id: 's',
      tool_name: 'apply_patch',
      tool_input: { command: patch('Update', path, '@@\n-a\n+b') },
    }),
    read: (path) => ({ session_id: 's', tool_name: 'read_file', tool_input: { file_path: path } }),
  },
  like({ shell: 'run_shell_command', write: 'write_file', edit: 'replace', read: 'read_file' }, 'gemini'),
  like({ shell: 'run_shell_command', write: 'write_file', edit: 'edit', read: 'read_file' }, 'qwen'),
  (() => {
    const call = (tool: string, args: object) => ({ sessionId: 's', toolName: tool, toolArgs: JSON.stringify(args) });
    return {
      client: 'copilot',
      shell: (command: string) => call('bash', { command }),
      write: (path: string, content = 'x') => call('create', { path, file_text: content }),
      edit: (path: string) => call('edit', { path, old_str: 'a', new_str: 'b' }),
      read: (path: string) => call('view', { path }),
    };
  })(),
  (() => {
    const call = (tool: string, args: object) => ({ sessionID: 's', callID: 'c', tool, args });
    return {
      client: 'opencode',
      shell: (command: string) => call('bash', { command, description: 'x' }),
      write: (path: string, content = 'x') => call('write', { filePath: path, content }),
      edit: (path: string) => call('edit', { filePath: path, oldString: 'a', newString: 'b' }),
      read: (path: string) => call('read', { filePath: path }),
    };
  })(),
  {
    client: 'cursor',
    shell: (command) => ({ hook_event_name: 'preToolUse', tool_name: 'Shell', tool_input: { command } }),
    write: (path, content = 'x') => ({
      hook_event_name: 'preToolUse',
      tool_name: 'Write',
      tool_input: { path, contents: content },
    }),
    edit: (path) => ({
      hook_event_name: 'preToolUse',
      tool_name: 'StrReplace',
      tool_input: { path, old_string: 'a', new_string: 'b' },
    }),
    read: (path) => ({ hook_event_name: 'preToolUse', tool_name: 'Read', tool_input: { path } }),
  },
  vscode('vscode', { hook_event_name: 'PreToolUse', session_id: 's', tool_use_id: 'call_1__vscode-1' }),
  // It reads the files of these two as well, whose questions look alike. Versions differ in what else tells.
  { ...vscode('claude', { hook_event_name: 'PreToolUse', session_id: 's', tool_use_id: 'call_1' }), asker: 'vscode' },
  { ...vscode('copilot', { hookEventName: 'PreToolUse', sessionId: 's', tool_use_id: 'call_1' }), asker: 'vscode' },
];

export const shapes: readonly Shape[] = spellings.map((one) => ({ asker: one.client, ...one }));

function vscode(client: string, common: object): Spelling {
  const call = (tool: string, input: object) => ({
    timestamp: '2026-10-01T10:30:00.000Z',
    ...common,
    tool_name: tool,
    tool_input: input,
  });
  return {
    client,
    shell: (command) => call('run_in_terminal', { command, explanation: 'x', goal: 'x', mode: 'sync', timeout: 0 }),
    write: (path, content = 'x') => call('create_file', { filePath: path, content }),
    edit: (path) => call('replace_string_in_file', { filePath: path, oldString: 'a', newString: 'b' }),
    read: (path) => call('read_file', { filePath: path, startLine: 1, endLine: 9 }),
  };
}

/** The hook's answer holds a refusal, in whatever shape. */
export function refuses(text: string): boolean {
  return /"(?:permissionDecision|decision|permission)":"deny"|"deny":/.test(text);
}

/** A client's own tool names → the canonical ones (Claude Code's). A tool that does two things has two names. */
export type NameTable = Readonly<Record<string, readonly string[]>>;

export function nativeNames(table: NameTable, name: string): readonly string[] {
  return unique([name, ...(Object.hasOwn(table, name) ? (table[name] ?? []) : [])]);
}

/** `mcp__server__tool`, in which the server may be known for sure. */
export function mcpNames(name: string, server?: string): readonly string[] {
  const prefix = server === undefined ? undefined : `mcp__${server}__`;
  if (prefix !== undefined && name.startsWith(prefix)) return unique([name, name.slice(prefix.length)]);
  const bare = name.split('__').slice(2).join('__');
  return unique([name, ...(bare === '' ? [] : [bare])]);
}

/** `mcp_server_tool`, as Gemini and VS Code join them. */
export function joinedMcpNames(name: string): readonly string[] {
  return unique([name, ...splitNames(name.slice('mcp_'.length), '_')]);
}

/**
 * `server<mark>tool` without a way to tell where the server's name ends: every reading counts, since a rule that is
 * missed is worse than one that binds too much. `mark` also stands for the dots that the client replaced.
 */
export function splitNames(joined: string, mark: string): readonly string[] {
  const parts = joined.split(mark);
  const readings = parts.slice(1).flatMap((_, index) => {
    const server = parts.slice(0, index + 1).join(mark);
    const tool = parts.slice(index + 1).join(mark);
    return [...new Set([tool, tool.replaceAll(mark, '_')])].flatMap((one) => [`mcp__${server}__${one}`, one]);
  });
  return unique(readings);
}

export function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}

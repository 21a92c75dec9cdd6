/** Maps a client's own tool names to canonical ones (Claude Code's). A tool that does two things has two names. */
export type NameTable = Readonly<Record<string, readonly string[]>>;

export function nativeNames(table: NameTable, name: string): readonly string[] {
  return unique([name, ...(Object.hasOwn(table, name) ? (table[name] ?? []) : [])]);
}

/** Returns an MCP tool's names from `mcp__server__tool`; `server`, if known, says where the server's name ends. */
export function mcpNames(name: string, server?: string): readonly string[] {
  const prefix = server === undefined ? undefined : `mcp__${server}__`;
  if (prefix !== undefined && name.startsWith(prefix)) return unique([name, name.slice(prefix.length)]);
  const bare = name.split('__').slice(2).join('__');
  return unique([name, ...(bare === '' ? [] : [bare])]);
}

/** Returns the names of an MCP tool from `mcp_server_tool`, the format of Gemini and VS Code. */
export function joinedMcpNames(name: string): readonly string[] {
  return unique([name, ...splitNames(name.slice('mcp_'.length), '_')]);
}

/**
 * Splits `server<mark>tool` when it is unknown where the server's name ends. Every split counts: a rule that misses a
 * tool is worse than one that matches too much. `mark` also stands for dots that the client replaced.
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

import { fold } from '../../kernel/tool-name.ts';
import type { ToolPermissions } from './definition.ts';
import { matchName } from './glob.ts';

export type Decision = 'allow' | 'deny' | 'ask';

/** What a state says of a tool: denied > ask > allowed; a non-empty `allowed` denies the rest; else no opinion. */
export function decideTool(permissions: ToolPermissions | undefined, names: readonly string[]): Decision | undefined {
  if (permissions === undefined) return undefined;
  const hit = (patterns: readonly string[]) => names.some((name) => matchesAny(patterns, name));
  if (hit(permissions.denied)) return 'deny';
  if (hit(permissions.ask)) return 'ask';
  if (permissions.allowed.length === 0) return undefined;
  if (hit(permissions.allowed)) return 'allow';
  return isOpenTool(names) ? undefined : 'deny';
}

/** Where nobody can be asked, `ask` refuses; but not the tools that only an explicit `denied` may close. */
export function withoutAsking(said: Decision | undefined, names: readonly string[]): Decision | undefined {
  if (said !== 'ask') return said;
  return isOpenTool(names) ? undefined : 'deny';
}

/** The tool of a rule that may name an argument: `Edit` of `Edit(docs/**)`. */
export function toolOf(rule: string): string {
  const at = rule.indexOf('(');
  return at > 0 && rule.endsWith(')') ? rule.slice(0, at) : rule;
}

/** Dots and underscores are the same to clients, so they are the same here. `*` stands for any run of characters. */
export function matchesAny(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => matchName(fold(pattern), fold(name)));
}

/** Tools without which an agent could neither go on nor report: only an explicit `denied` closes them. */
const openTools = [
  'state_gate.*',
  'activate',
  'authenticate',
  'logout',
  'get_my_task',
  'report_*',
  'save_context',
  'create_handoff',
  'accept_handoff',
  'get_pending_handoffs',
  'wait_agent',
  // How clients that defer MCP tools find all of the above.
  'ToolSearch',
  'tool_search',
];

/** Our server as `init` names it in every client, or no server where a client does not tell which (Cursor). */
const ownServer = /^mcp__(?:sekisho)?__/;

/**
 * `names` are the readings of one call. A tool of another server stays that server's, whatever it calls itself: only
 * a rule that narrows may take it by its bare name.
 */
export function isOpenTool(names: readonly string[]): boolean {
  const served = names.filter((name) => name.startsWith('mcp__'));
  if (served.length === 0) return names.some(isOpenName);
  return served.some((name) => ownServer.test(name) && isOpenName(name.replace(ownServer, '')));
}

/** `upstream__tool` is what our server passes on, not ours. */
function isOpenName(bare: string): boolean {
  return !bare.includes('__') && matchesAny(openTools, bare);
}

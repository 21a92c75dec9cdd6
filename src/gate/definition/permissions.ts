import { dotsToUnderscores } from '../../kernel/tool-name.ts';
import { type Definition, type ToolPermissions, findState } from './definition.ts';
import { matchName, matchesGlob } from './glob.ts';

export type Decision = 'allow' | 'deny' | 'ask';

/** One tool call, as far as a rule can see it. */
export interface Call {
  readonly names: readonly string[];
  /** Names by which a rule may permit the call, if not all: a shell line with a patch is an edit and a shell call. */
  readonly permitting?: readonly string[];
  /** Files that the call names: relative to the work tree with links resolved, absolute if outside of it. */
  readonly paths?: readonly string[];
  readonly command?: string | undefined;
}

/**
 * Decides about a call by a state's permissions: denied > ask > allowed; a non-empty `allowed` denies the rest; otherwise
 * there is no decision. Files that the state itself requires (`writable`) may be written even if it denies them: otherwise no
 * agent could leave it.
 */
export function decideTool(
  permissions: ToolPermissions | undefined,
  call: Call,
  writable: readonly string[] = [],
): Decision | undefined {
  if (permissions === undefined) return undefined;
  if (writesOnly(call, writable)) return 'allow';
  // `denied` and `ask` apply if one of the files matches, `allowed` only if all of them do.
  if (permissions.denied.some((rule) => matchesRule(rule, call, 'some'))) return 'deny';
  if (permissions.ask.some((rule) => matchesRule(rule, call, 'some'))) return 'ask';
  if (permissions.allowed.length === 0) return undefined;
  if (isAllowed(permissions.allowed, call)) return 'allow';
  return isOpenTool(call.names) ? undefined : 'deny';
}

export function decideIn(definition: Definition, state: string, call: Call): Decision | undefined {
  return decideTool(findState(definition, state)?.tool_permissions, call, writablePaths(definition, state));
}

const writers = ['Write', 'Edit', 'NotebookEdit'];

function writesOnly({ names, paths = [] }: Call, writable: readonly string[]): boolean {
  if (paths.length === 0 || !names.some((name) => writers.includes(name))) return false;
  return paths.every((path) => writable.some((glob) => matchesGlob(glob, path)));
}

/** Tells whether the rules allow the call. Different rules may allow different files of a patch. */
function isAllowed(rules: readonly string[], whole: Call): boolean {
  const call = { ...whole, names: whole.permitting ?? whole.names };
  const one = (paths: readonly string[] | undefined) =>
    rules.some((rule) => matchesRule(rule, paths === undefined ? call : { ...call, paths }, 'every'));
  return call.paths === undefined || call.paths.length < 2 ? one(undefined) : call.paths.every((path) => one([path]));
}

/** Characters that can turn one shell line into several commands, or into another command than it shows. */
const shellMarks = /[;&|<>$`()\n\r]/;

function matchesRule(rule: string, call: Call, files: 'some' | 'every'): boolean {
  const tool = toolOf(rule);
  if (!call.names.some((name) => matchesAny([tool], name))) return false;
  if (tool === rule) return true;
  const argument = rule.slice(tool.length + 1, -1);
  if (tool === 'Bash') {
    const line = call.command?.trim();
    if (line === undefined || (files === 'every' && shellMarks.test(line))) return false;
    return matchName(argument, line);
  }
  const { paths = [] } = call;
  const fits = (path: string) => matchesGlob(argument.replace(/^\.\//, ''), path);
  return files === 'every' ? paths.length > 0 && paths.every(fits) : paths.some(fits);
}

/** Lists the files that a state requires, as globs. An agent may write them even if its editing tools are denied. */
function writablePaths(definition: Definition, state: string): readonly string[] {
  const required = findState(definition, state)?.required_artifacts ?? [];
  return required.flatMap((one) => {
    if ('path' in one) return [one.path.replace(/^\.\//, '')];
    const declared = definition.artifacts.find((artifact) => artifact.type === one.type)?.path;
    if (declared !== undefined) return [declared.replace(/^\.\//, '')];
    return ['md', 'json', 'yaml', 'txt'].map((extension) => `${one.type}.${extension}`);
  });
}

/** Turns `ask` into `deny` for callers that cannot ask a person. Open tools stay open. */
export function withoutAsking(said: Decision | undefined, names: readonly string[]): Decision | undefined {
  if (said !== 'ask') return said;
  return isOpenTool(names) ? undefined : 'deny';
}

/** Returns the tool of a rule, which may have an argument: `Edit` of `Edit(docs/**)`. */
export function toolOf(rule: string): string {
  const at = rule.indexOf('(');
  return at > 0 && rule.endsWith(')') ? rule.slice(0, at) : rule;
}

/** Tells whether a pattern matches the name. Dots equal underscores, as in clients; `*` matches any characters. */
export function matchesAny(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => matchName(dotsToUnderscores(pattern), dotsToUnderscores(name)));
}

/** Tools that an agent needs to continue and to report. Only an explicit `denied` closes them. */
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
  // Clients that defer MCP tools find all of the above with it.
  'ToolSearch',
  'tool_search',
];

/** The prefix of our own server: `init` names it `sekisho` in every client, and Cursor sends no server name. */
const ownServer = /^mcp__(?:sekisho)?__/;

/** Tells whether a call is one of the open tools, by all of its names. A tool of another server never is. */
export function isOpenTool(names: readonly string[]): boolean {
  const served = names.filter((name) => name.startsWith('mcp__'));
  if (served.length === 0) return names.some(isOpenName);
  return served.some((name) => ownServer.test(name) && isOpenName(name.replace(ownServer, '')));
}

/** Tells whether a bare name is an open tool. `upstream__tool` is a proxied tool, not ours. */
function isOpenName(bare: string): boolean {
  return !bare.includes('__') && matchesAny(openTools, bare);
}

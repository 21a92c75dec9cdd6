import { dotsToUnderscores } from '../../kernel/tool-name.ts';
import { type Definition, type ToolPermissions, findState } from './definition.ts';
import { matchName, matchesGlob } from './glob.ts';

export type Decision = 'allow' | 'deny' | 'ask';

/** One call of a tool, as far as it can be seen. */
export interface Call {
  /** The readings of its name. */
  readonly names: readonly string[];
  /** Those of them by which a rule may permit it, where not all: a shell line with a patch in it is an edit, but not only one. */
  readonly permitting?: readonly string[];
  /** The files that it names, relative to the work tree after links are resolved; absolute where outside of it. */
  readonly paths?: readonly string[];
  /** The line that a shell would run. */
  readonly command?: string | undefined;
}

/**
 * What a state says of a call: denied > ask > allowed; a non-empty `allowed` denies the rest; else no opinion. The files
 * that the state itself asks for (`writable`) may be written whatever it denies: otherwise nobody could leave it.
 */
export function decideTool(
  permissions: ToolPermissions | undefined,
  call: Call,
  writable: readonly string[] = [],
): Decision | undefined {
  if (permissions === undefined) return undefined;
  if (writesOnly(call, writable)) return 'allow';
  // What narrows holds for one file of many, what permits only for all of them.
  if (permissions.denied.some((rule) => matchesRule(rule, call, 'some'))) return 'deny';
  if (permissions.ask.some((rule) => matchesRule(rule, call, 'some'))) return 'ask';
  if (permissions.allowed.length === 0) return undefined;
  if (isAllowed(permissions.allowed, call)) return 'allow';
  return isOpenTool(call.names) ? undefined : 'deny';
}

/** The same for a state of a process. */
export function decideIn(definition: Definition, state: string, call: Call): Decision | undefined {
  return decideTool(findState(definition, state)?.tool_permissions, call, writablePaths(definition, state));
}

const writers = ['Write', 'Edit', 'NotebookEdit'];

function writesOnly({ names, paths = [] }: Call, writable: readonly string[]): boolean {
  if (paths.length === 0 || !names.some((name) => writers.includes(name))) return false;
  return paths.every((path) => writable.some((glob) => matchesGlob(glob, path)));
}

/** Each file of a patch may be allowed by another rule. */
function isAllowed(rules: readonly string[], whole: Call): boolean {
  const call = { ...whole, names: whole.permitting ?? whole.names };
  const one = (paths: readonly string[] | undefined) =>
    rules.some((rule) => matchesRule(rule, paths === undefined ? call : { ...call, paths }, 'every'));
  return call.paths === undefined || call.paths.length < 2 ? one(undefined) : call.paths.every((path) => one([path]));
}

/** What makes one line of a shell into several commands, or into others than it shows. */
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

/** The files that a state asks for, as globs: what an agent may write there whatever tools it is denied. */
function writablePaths(definition: Definition, state: string): readonly string[] {
  const required = findState(definition, state)?.required_artifacts ?? [];
  return required.flatMap((one) => {
    if ('path' in one) return [one.path.replace(/^\.\//, '')];
    const declared = definition.artifacts.find((artifact) => artifact.type === one.type)?.path;
    if (declared !== undefined) return [declared.replace(/^\.\//, '')];
    return ['md', 'json', 'yaml', 'txt'].map((extension) => `${one.type}.${extension}`);
  });
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
  return patterns.some((pattern) => matchName(dotsToUnderscores(pattern), dotsToUnderscores(name)));
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

import { messageOf } from '../../base/failure.ts';
import { Environment } from '@marcbachmann/cel-js';
import type { Evidence } from '../guard.ts';
import { rule } from '../../kernel/text/rule.ts';
import type { Sentence } from '../../kernel/text/text.ts';
import { phrase } from '../phrase.ts';
import { words } from '../words.ts';

const environment = new Environment({
  homogeneousAggregateLiterals: false,
  limits: { maxAstNodes: 2000, maxDepth: 60 },
})
  .registerVariable('context', 'map')
  .registerVariable('artifacts', 'list')
  // JSON numbers arrive as doubles, literals are ints: without these `context.n + 1` is a type error.
  .registerOperator('double + int', (a: number, b: bigint) => a + Number(b))
  .registerOperator('int + double', (a: bigint, b: number) => Number(a) + b)
  .registerOperator('double - int', (a: number, b: bigint) => a - Number(b))
  .registerOperator('int - double', (a: bigint, b: number) => Number(a) - b)
  .registerOperator('double * int', (a: number, b: bigint) => a * Number(b))
  .registerOperator('int * double', (a: bigint, b: number) => Number(a) * b)
  .registerOperator('double / int', (a: number, b: bigint) => a / Number(b))
  .registerOperator('int / double', (a: bigint, b: number) => Number(a) / b);

interface Node {
  readonly op: string;
  readonly args: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value;
}

function* walk(value: unknown): Generator<Node> {
  if (isNode(value)) {
    yield value;
    yield* walk(value.args);
  } else if (Array.isArray(value)) {
    for (const one of value) yield* walk(one);
  }
}

export function checkExpression(text: string): string | undefined {
  try {
    const parsed = environment.parse(text);
    for (const node of walk(parsed.ast)) {
      const called = (node.op === 'rcall' || node.op === 'call') && Array.isArray(node.args) ? node.args[0] : undefined;
      // A backtracking regular expression can hang the server for minutes.
      if (called === 'matches')
        return rule(words('matches() is not available; compare with ==, in, startsWith(), endsWith() or contains()'));
    }
    if (loopDepth(parsed.ast) > maxNesting) return tooDeep;
    const result = parsed.check();
    if (!result.valid) return firstLine(result.error);
    if (result.type !== undefined && !['bool', 'dyn'].includes(result.type))
      return rule({
        en: `the expression is ${result.type}, not true or false`,
        ja: `式の値が true か false になりません (${result.type})`,
      });
    return undefined;
  } catch (error) {
    return firstLine(error);
  }
}

/** Evaluates an expression to true, false, or the reason why it has no value. */
export function evaluateExpression(
  text: string,
  evidence: Pick<Evidence, 'context' | 'artifacts'>,
): boolean | Sentence {
  try {
    const parsed = environment.parse(text);
    const values = { context: evidence.context, artifacts: evidence.artifacts };
    const steps = costOf(parsed.ast, values);
    if (steps > maxSteps) return phrase.expressionTooLong({ steps, most: maxSteps });
    const value: unknown = parsed(values);
    return typeof value === 'boolean' ? value : () => String(value);
  } catch (error) {
    return () => firstLine(error);
  }
}

/** Functions and macros that iterate over a whole list, map or text. */
const loops = new Set(['all', 'exists', 'exists_one', 'map', 'filter', 'bind', 'split', 'join', 'contains', 'indexOf']);
const maxNesting = 3;
const tooDeep = rule({
  en: `it nests loops over lists more than ${maxNesting} times: write it flatter, or as several guards`,
  ja: `一覧の中の一覧を ${maxNesting} 重を超えて調べています。浅く書くか、複数のガードに分けてください`,
});
const maxSteps = 200_000;

/** Returns how deeply loops are nested. The range of a loop is evaluated once, so it does not count as nested. */
function loopDepth(value: unknown): number {
  if (Array.isArray(value)) return Math.max(0, ...value.map(loopDepth));
  if (!isNode(value)) return 0;
  const args: readonly unknown[] = Array.isArray(value.args) ? value.args : [value.args];
  if (value.op === 'in') return 1 + loopDepth(args);
  const [name, receiver, inner] = args;
  if (value.op !== 'rcall' || typeof name !== 'string' || !loops.has(name)) return loopDepth(args);
  return Math.max(loopDepth(receiver), 1 + loopDepth(inner));
}

/** Returns an upper bound of the steps: number of nodes × (size of the largest value) ** (depth of the loops). */
function costOf(ast: unknown, values: object): number {
  let nodes = 0;
  let splits = false;
  for (const node of walk(ast)) {
    nodes++;
    splits ||= node.op === 'rcall' && Array.isArray(node.args) && node.args[0] === 'split';
  }
  const depth = loopDepth(ast);
  return depth === 0 ? nodes : nodes * Math.max(1, largestSize(values, splits)) ** depth;
}

function largestSize(value: unknown, texts: boolean): number {
  if (typeof value === 'string') return texts ? value.length : 0;
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  return inner.reduce<number>((most, one) => Math.max(most, largestSize(one, texts)), inner.length);
}

/** The context variables an expression names, as `context.x` or `context["x"]`. */
export function expressionVariables(text: string): readonly string[] {
  const found = new Set<string>();
  let ast: unknown;
  try {
    ast = environment.parse(text).ast;
  } catch {
    return []; // checkExpression reports the fault.
  }
  for (const node of walk(ast)) {
    if ((node.op !== '.' && node.op !== '[]') || !Array.isArray(node.args)) continue;
    const [target, key] = node.args as readonly unknown[];
    if (!isNode(target) || target.op !== 'id' || target.args !== 'context') continue;
    if (typeof key === 'string') found.add(key);
    else if (isNode(key) && key.op === 'value' && typeof key.args === 'string') found.add(key.args);
  }
  return [...found];
}

function firstLine(error: unknown): string {
  return messageOf(error).split('\n', 1)[0] ?? '';
}

import type { JsonObject } from '../../src/base/json-object.ts';
import { problem } from '../../src/kernel/problem.ts';

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const sentence = 'The greeting lacks a comma, and 日本語の長い文章もここに含まれていることがあります。';
const id = (index: number, kind = '') => `${kind}01a1e2ae-437${index}-7a22-ab29-cb376ef13668`;
const path = '/home/ann/code/a-project-with-a-rather-long-name/src/module/thing.ts';

/** An answer that the schema allows, with values as long as they come. */
export function sampleOf(schema: object): JsonObject {
  return build(schema, 'answer', 0, schema) as JsonObject;
}

function build(schema: Schema, key: string, index: number, whole: Schema): unknown {
  if (schema.$ref !== undefined)
    return build(whole.$defs?.[schema.$ref.split('/').at(-1) ?? ''] ?? {}, key, index, whole);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[index % schema.enum.length];
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  const chosen = choices?.find((one) => one.type !== 'null');
  if (chosen !== undefined) return build(chosen, key, index, whole);
  const type = [schema.type].flat().find((one) => one !== 'null');
  if (type === 'object') return objectOf(schema, index, whole);
  if (type === 'array') return [0, 1, 2].map((at) => build(schema.items ?? {}, key, at, whole));
  if (type === 'number' || type === 'integer') return 12_345 + index;
  if (type === 'boolean') return index % 2 === 0;
  return textOf(key, index);
}

function objectOf({ properties = {}, additionalProperties }: Schema, index: number, whole: Schema): JsonObject {
  const named = Object.entries(properties).map(([key, one]) => [key, build(one, key, index, whole)] as const);
  const more = typeof additionalProperties === 'object' && named.length === 0 ? ['first', 'second'] : [];
  return Object.fromEntries([
    ...named,
    ...more.map((key) => [key, build(additionalProperties as Schema, key, index, whole)] as const),
  ]);
}

function textOf(key: string, index: number): string {
  if (/(^|_)ids?$|Ids?$/.test(key)) return id(index, `${/^(run|task|agent|group|event)/.exec(key)?.[0] ?? 'x'}-`);
  if (/_at$|At$|^since$|^at$/.test(key)) return `2026-11-1${index}T09:00:00.000Z`;
  if (/digest|^leaf$|^link$|^head$/.test(key)) return String(index).repeat(64);
  if (/path|root|folder|file/i.test(key)) return path;
  return `${sentence} ${key} ${index} ${id(index, 'run-')}`;
}

const list = ['explore-plan-implement-verify', 'bug-fix', sentence];
const fieldErrors = [{ path: '/agents/0/role', message: 'Invalid input: expected string, received number' }];

/** What texts of problems fill in; whatever is not named here is a long sentence. */
const filled: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(
    'active allowed broken denied events ids known legal_in missing needed opens possible served states tools roots'
      .split(' ')
      .map((name) => [name, list]),
  ),
  ids: [id(0, 'run-'), id(1, 'run-')],
  roots: [path, `${path}x`],
  errors: fieldErrors,
  findings: [0, 1, 2, 3].map((line) => ({ file: path, line, column: 7, message: () => sentence })),
  changes: (['added', 'changed', 'removed'] as const).map((how) => ({ path, how })),
  failures: [problem.BAD_CONFIGURATION({ file: path, reason: sentence })],
  note: () => sentence,
  what: () => sentence,
  port: 9696,
};

const each = (name: string, values: readonly unknown[]) => values.map((one) => ({ [name]: one }));

/** Where one name means different things, or where the text depends on a choice: each choice. */
const special: Readonly<Record<string, readonly object[]>> = {
  'kernel/problem.ts PORT_TAKEN': each('by', [undefined, { pid: 4711, name: 'node' }]),
  'fleet/problem.ts AGENTS_PAUSED': each('why', [() => sentence]),
  'gate/problem.ts INVALID_EVENT': each('aborted', [undefined, { by: 'os:ann', reason: sentence }]),
  'gate/problem.ts event': each('by', 'event role approve reject posing transition'.split(' ')),
  'hook/problem.ts HOOK_INPUT': each('reason', 'no_json too_deep no_object no_tool no_event unknown_client'.split(' ')),
  'hook/problem.ts protected': each('kind', ['ours', 'client']),
  'phase/problem.ts INVALID_PHASE_TRANSITION': each('why', ['other', 'finished', 'aborted', 'plan']),
  'kernel/problem.ts PROJECT_NEEDED': each('roots', [[], [path, `${path}x`]]),
  'kernel/problem.ts STORE_REMOVED': each('open', [true, false]),
  'work/problem.ts TASK_AMBIGUOUS': each('spellings', [['web#1', 'api#1']]),
  'work/problem.ts DEPENDENCIES_OPEN': each('open', [[id(0, 'task-'), id(1, 'task-')]]),
};

export function sampleParams(key: string): readonly object[] {
  return (special[key] ?? [{}]).map(
    (own) =>
      new Proxy(own, {
        get: (target, name) =>
          typeof name === 'symbol'
            ? undefined
            : name in target
              ? (target as JsonObject)[name]
              : (filled[name] ?? textOf(name, 0)),
      }),
  );
}

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDefinition } from '../../src/gate/definition/file.ts';
import type { FindingCode } from '../../src/gate/definition/finding.ts';

/** `^` stands right before the place that the finding names, and is taken out before reading. */
const mark = '^';

interface Case {
  readonly code: FindingCode;
  readonly title: string;
  readonly text: string;
}

const head = `id: p
version: "1"
initial_state: a
`;
const states = `states: [{ name: a }, { name: z, is_final: true }]
`;
const events = `events: [{ name: go }]
`;
const transitions = `transitions: [{ from: a, event: go, to: z }]
`;

const cases: readonly Case[] = [
  { code: 'YAML', title: 'a bracket that is never closed', text: `id: [p\n^version: "1"\nstates: []\n` },
  { code: 'YAML', title: 'a key that stands twice', text: `id: p\n^id: q\n` },
  {
    code: 'MISSING_FIELD',
    title: 'a head without a version, at the top of the file',
    text: `^id: p\ninitial_state: a\n${states}${events}${transitions}`,
  },
  {
    code: 'MISSING_FIELD',
    title: 'a transition without a target, at the transition',
    text: `${head}${states}${events}transitions:\n  - ^{ from: a, event: go }\n`,
  },
  {
    code: 'BAD_FIELD',
    title: 'a flag that is no truth value',
    text: `${head}states: [{ name: a }, { name: z, is_final: ^maybe }]\n${events}${transitions}`,
  },
  {
    code: 'BAD_FIELD',
    title: 'guard and guards in one transition',
    text: `${head}${states}${events}transitions:\n  - { from: a, event: go, to: z, guard: g, guards: ^[g] }\nguards: { g: { type: context, variable: v, condition: exists } }\n`,
  },
  {
    code: 'UNKNOWN_FIELD',
    title: 'a misspelt field',
    text: `${head}states: [{ name: a, promt: ^hello }, { name: z, is_final: true }]\n${events}${transitions}`,
  },
  {
    code: 'DUPLICATE_NAME',
    title: 'two states of one name',
    text: `${head}states:\n  - { name: a }\n  - ^{ name: a }\n  - { name: z, is_final: true }\n${events}${transitions}`,
  },
  {
    code: 'UNKNOWN_STATE',
    title: 'a transition to nowhere',
    text: `${head}${states}${events}transitions:\n  - { from: a, event: go, to: z }\n  - { from: a, event: go, to: ^moon }\n`,
  },
  {
    code: 'UNKNOWN_STATE',
    title: 'an initial state that is none, under process:',
    text: `process:\n  id: p\n  version: "1"\n  initial_state: ^b\n${states}${events}${transitions}`,
  },
  {
    code: 'UNKNOWN_EVENT',
    title: 'a transition on an event that is none',
    text: `${head}${states}${events}transitions:\n  - { from: a, event: go, to: z }\n  - { from: a, event: ^leap, to: z }\n`,
  },
  {
    code: 'UNKNOWN_EVENT',
    title: 'a role that may emit an event that is none',
    text: `${head}${states}${events}${transitions}roles: [{ name: agent, allowed_events: [go, ^leap] }]\n`,
  },
  {
    code: 'UNKNOWN_GUARD',
    title: 'a transition behind a guard that is none',
    text: `${head}${states}${events}transitions: [{ from: a, event: go, to: z, guard: ^ghost }]\n`,
  },
  {
    code: 'UNKNOWN_GUARD_TYPE',
    title: 'a guard of a kind that is none',
    text: `${head}${states}${events}transitions: [{ from: a, event: go, to: z, guard: g }]\nguards:\n  g: { type: ^magic }\n`,
  },
  {
    code: 'UNKNOWN_ROLE',
    title: 'an event for a role that is not listed',
    text: `${head}${states}events: [{ name: go, allowed_roles: [^wizard] }]\n${transitions}roles: [{ name: agent }]\n`,
  },
  {
    code: 'UNKNOWN_ARTIFACT_TYPE',
    title: 'a required artifact of no type',
    text: `${head}states: [{ name: a, required_artifacts: [^plan] }, { name: z, is_final: true }]\n${events}${transitions}`,
  },
  {
    code: 'UNKNOWN_ARTIFACT_TYPE',
    title: 'a guard on an artifact of no type',
    text: `${head}${states}${events}transitions: [{ from: a, event: go, to: z, guard: g }]\nguards:\n  g: ^{ type: artifact, artifact_type: plan }\n`,
  },
  {
    code: 'UNREACHABLE_STATE',
    title: 'a state that nothing leads to',
    text: `${head}states:\n  - { name: a }\n  - ^{ name: island }\n  - { name: z, is_final: true }\n${events}transitions: [{ from: a, event: go, to: z }, { from: island, event: go, to: z }]\n`,
  },
  {
    code: 'DEAD_END',
    title: 'a state that leads nowhere',
    text: `${head}states:\n  - { name: a }\n  - ^{ name: trap }\n  - { name: z, is_final: true }\n${events}transitions: [{ from: a, event: go, to: z }, { from: a, event: go, to: trap }]\n`,
  },
  {
    code: 'NO_FINAL_STATE',
    title: 'a machine without an end',
    text: `${head}states:\n  ^- { name: a }\n${events}transitions: [{ from: a, event: go, to: a }]\n`,
  },
  {
    code: 'LEAVES_FINAL_STATE',
    title: 'a way out of a final state',
    text: `${head}${states}${events}transitions:\n  - { from: a, event: go, to: z }\n  - ^{ from: z, event: go, to: a }\n`,
  },
  {
    code: 'BAD_WILDCARD',
    title: 'a transition from every state',
    text: `${head}${states}${events}transitions:\n  - { from: a, event: go, to: z }\n  - { from: ^"*", event: go, to: z }\n`,
  },
  {
    code: 'BAD_WILDCARD',
    title: 'a role pattern',
    text: `${head}${states}events: [{ name: go, allowed_roles: [^"rev*"] }]\n${transitions}`,
  },
  {
    code: 'BAD_WILDCARD',
    title: 'every role beside a named one',
    text: `${head}${states}events: [{ name: go, allowed_roles: ^["*", agent] }]\n${transitions}`,
  },
  {
    code: 'BAD_GUARD',
    title: 'a list condition without a list',
    text: `${head}${states}${events}transitions: [{ from: a, event: go, to: z, guard: g }]\nguards:\n  g: { type: context, variable: v, condition: in, value: ^3 }\n`,
  },
  {
    code: 'BAD_GUARD',
    title: 'an expression that is none',
    text: `${head}${states}${events}transitions: [{ from: a, event: go, to: z, guard: g }]\nguards:\n  g: { type: expression, expression: ^"context.x ==" }\n`,
  },
  {
    code: 'BAD_GUARD',
    title: 'a regular expression, which could hang the gate',
    text: `${head}${states}${events}transitions: [{ from: a, event: go, to: z, guard: g }]\nguards:\n  g: { type: expression, expression: ^'context.x.matches("(a+)+b")' }\n`,
  },
  {
    code: 'BAD_GUARD',
    title: 'a bad guard that is written in place',
    text: `${head}${states}${events}transitions: [{ from: a, event: go, to: z, guards: [{ type: command, command: ^npm test }] }]\n`,
  },
  {
    code: 'BAD_GUARD',
    title: 'a schema of artifacts that is no JSON Schema',
    text: `${head}${states}${events}transitions: [{ from: a, event: go, to: z, guard: g }]\nguards:\n  g: { type: artifact_schema, artifact_type: report, schema: ^{ type: strnig } }\nartifacts: [{ type: report }]\n`,
  },
  {
    code: 'GUARD_CYCLE',
    title: 'guards that contain each other',
    text: `${head}${states}${events}transitions: [{ from: a, event: go, to: z, guard: ^g }]\nguards:\n  g: { type: all, guards: [h] }\n  h: { type: not, guard: g }\n`,
  },
  {
    code: 'BAD_SCHEMA',
    title: 'a payload schema that is no JSON Schema',
    text: `${head}${states}events: [{ name: go, payload_schema: ^{ type: strnig } }]\n${transitions}`,
  },
  {
    code: 'UNUSED_GUARD',
    title: 'a guard that nothing uses',
    text: `${head}${states}${events}${transitions}guards:\n  g: ^{ type: context, variable: v, condition: exists }\n`,
  },
  {
    code: 'UNUSED_EVENT',
    title: 'an event that nothing uses',
    text: `${head}${states}events: [{ name: go }, ^{ name: idle }]\n${transitions}`,
  },
  {
    code: 'SHADOWED_TRANSITION',
    title: 'a transition that never gets its turn',
    text: `${head}${states}${events}transitions:\n  - { from: a, event: go, to: z }\n  - ^{ from: a, event: go, to: a }\n`,
  },
  {
    code: 'SELF_REPORTED_GUARD',
    title: 'a guard on what an agent says of itself',
    text: `${head}${states}events:\n  - { name: go, payload_schema: { type: object, properties: { passed: { type: boolean } } } }\ntransitions: [{ from: a, event: go, to: z, guard: g }]\nguards:\n  g: ^{ type: context, variable: passed, condition: equals, value: true }\n`,
  },
  {
    code: 'UNWATCHED_STATE',
    title: 'a state that denies editing and looks at no file',
    text: `${head}states: [{ name: a, tool_permissions: ^{ denied: [Edit] } }, { name: z, is_final: true }]\n${events}${transitions}`,
  },
  {
    code: 'UNDECLARED_KEY',
    title: 'a guard on a variable that nothing sets',
    text: `${head}${states}${events}transitions: [{ from: a, event: go, to: z, guard: g }]\nguards:\n  g: ^{ type: context, variable: v, condition: exists }\n`,
  },
  {
    code: 'COMPATIBLE',
    title: 'a word of the reference implementation',
    text: `${head}states: [{ name: a }, { name: z, is_terminal: ^true }]\n${events}${transitions}`,
  },
  {
    code: 'AGENT_DECIDES',
    title: 'a role of agents that approves',
    text: `${head}${states}${events}${transitions}roles:\n  - { name: bot, kind: ^agent, can_approve: true }\n`,
  },
  {
    code: 'LOCKED_STATE',
    title: 'a state that denies the gate itself',
    text: `${head}states: [{ name: a, tool_permissions: { denied: ^["state_gate.*"] } }, { name: z, is_final: true }]\n${events}${transitions}`,
  },
];

/** Not usable for runs, though a machine could walk it; everything else that is an error makes the file unusable. */
const unwise: readonly FindingCode[] = ['UNREACHABLE_STATE', 'DEAD_END', 'NO_FINAL_STATE', 'LOCKED_STATE'];
const advice: readonly FindingCode[] = [
  'UNUSED_GUARD',
  'UNUSED_EVENT',
  'SHADOWED_TRANSITION',
  'SELF_REPORTED_GUARD',
  'LEAVES_FINAL_STATE',
  'UNWATCHED_STATE',
  'UNDECLARED_KEY',
  'COMPATIBLE',
];

function place(text: string): { line: number; column: number } {
  const before = text.slice(0, text.indexOf(mark)).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

describe('a broken definition', () => {
  test.each(cases)('$code: $title', ({ code, text }) => {
    const { findings, definition } = readDefinition('p.yaml', text.replace(mark, ''));
    const severity = advice.includes(code) ? 'warning' : 'error';
    expect(findings).toContainEqual(expect.objectContaining({ code, severity, file: 'p.yaml', ...place(text) }));
    expect(definition === undefined).toBe(severity === 'error' && !unwise.includes(code));
    const found = findings.find((one) => one.code === code);
    expect(found?.message('en')).toMatch(/\S/);
    expect(found?.remedy('en')).toMatch(/\.$/);
    // What a parser says stays in its own words, behind ours.
    expect(found?.message('ja')).toMatch(/[ぁ-んァ-ヶ]/);
    expect(found?.remedy('ja')).toMatch(/[ぁ-ん].*。$/);
  });

  test('every kind of finding has a case', () => {
    const source = readFileSync(join(import.meta.dirname, '../../src/gate/definition/finding.ts'), 'utf8');
    const codes = [...source.matchAll(/^ {2}\| '([A-Z_]+)'/gm)].map((match) => match[1]);
    expect(codes.length).toBeGreaterThan(20);
    expect(codes.filter((code) => !cases.some((one) => one.code === code))).toEqual([]);
  });

  test('all of its problems are reported at once, in the order of the file', () => {
    const file = join(import.meta.dirname, '../fixtures/processes/broken.yaml');
    const { findings } = readDefinition('broken.yaml', readFileSync(file, 'utf8'));
    expect(findings.map((one) => `${one.line}:${one.column} ${one.code}`)).toEqual([
      '3:16 UNKNOWN_STATE',
      '5:3 NO_FINAL_STATE',
      '5:5 UNREACHABLE_STATE',
      '6:5 DUPLICATE_NAME',
      '6:5 UNREACHABLE_STATE',
      '7:5 UNREACHABLE_STATE',
      '8:10 UNUSED_EVENT',
      '10:27 UNKNOWN_EVENT',
      '10:37 UNKNOWN_STATE',
      '10:50 UNKNOWN_GUARD',
      '12:8 UNUSED_GUARD',
      '12:60 BAD_GUARD',
    ]);
  });

  test('problems of shape and of spelling in head and body come together', () => {
    const { findings, id } = readDefinition('p.yaml', 'id: p\nstates: [{ nmae: a }]\nevents: 3\n');
    expect(id).toBe('p');
    expect(findings.map((one) => one.code).toSorted()).toEqual([
      'BAD_FIELD',
      'MISSING_FIELD',
      'MISSING_FIELD',
      'MISSING_FIELD',
      'MISSING_FIELD',
      'UNKNOWN_FIELD',
    ]);
  });

  test.each(['', '[]', 'null', '42', '- a\n- b', '"text"', 'a: &a [*a]', '{}'])(
    '%j is no definition, and no crash',
    (text) => {
      const { definition, findings } = readDefinition('p.yaml', text);
      expect(definition).toBeUndefined();
      expect(findings.length).toBeGreaterThan(0);
    },
  );
});

describe('a definition that is meant to be used', () => {
  const root = join(import.meta.dirname, '../..');
  const shipped = readdirSync(join(root, 'processes')).map((name) => join(root, 'processes', name));
  const example = join(root, 'test/fixtures/processes/hotfix.yaml');

  test.each(shipped)('%s has nothing to be said against it', (file) => {
    const { definition, findings } = readDefinition(file, readFileSync(file, 'utf8'));
    expect(findings).toEqual([]);
    expect(definition).toBeDefined();
  });

  test('the example with every word of the language has no error', () => {
    const { definition, findings } = readDefinition(example, readFileSync(example, 'utf8'));
    expect(findings.filter((one) => one.severity === 'error')).toEqual([]);
    expect(definition).toMatchObject({ id: 'hotfix', version: '1.2.0', initial_state: 'reproduce' });
  });

  test('the example of docs/process-language.md has nothing to be said against it', () => {
    const paper = readFileSync(join(root, 'docs/process-language.md'), 'utf8');
    const text = /^```yaml\n(.*?)^```$/ms.exec(paper)?.[1] ?? '';
    const { definition, findings } = readDefinition('docs/process-language.md', text);
    expect(findings).toEqual([]);
    expect(definition?.id).toBe('hotfix');
  });

  test('both spellings of the head mean the same', () => {
    const text = readFileSync(example, 'utf8');
    const flat = text.replace(/^process:.*\n((?: {2}.*\n|\n)+)/m, (_whole, block: string) =>
      block.replaceAll(/^ {2}/gm, ''),
    );
    expect(flat).not.toContain('process:');
    expect(readDefinition('flat', flat).definition).toEqual(readDefinition('nested', text).definition);
  });
});

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toolsets } from '../src/kernel/toolset.ts';
import { loadCatalogue } from '../src/app/catalogue.ts';
import { describeTool } from '../src/surface/mcp/describe.ts';
import * as fleet from '../src/fleet/problem.ts';
import * as gatePhrases from '../src/gate/phrase.ts';
import * as gateProblems from '../src/gate/problem.ts';
import * as hook from '../src/hook/problem.ts';
import * as kernel from '../src/kernel/problem.ts';
import type { Lang, Text } from '../src/kernel/text/text.ts';
import * as phase from '../src/phase/problem.ts';
import * as upstream from '../src/upstream/problem.ts';
import * as work from '../src/work/problem.ts';

const catalog = await loadCatalogue();
const snapshots = join(import.meta.dirname, 'snapshot');

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

interface Tool {
  readonly inputSchema: Schema;
  readonly outputSchema: Schema;
}

const tools = catalog.operations.map((operation) => ({
  name: operation.name,
  operation,
  tool: describeTool(operation) as unknown as Tool,
}));

/** Every field of an input, also those inside of lists and objects, that does not say what it is. */
function undescribed(schema: Schema, at = ''): readonly string[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
    ...(property.description === undefined || property.description === '' ? [at + name] : []),
    ...undescribed(property, `${at}${name}.`),
  ]);
  return schema.items === undefined ? own : [...own, ...undescribed(schema.items, `${at}[].`)];
}

describe.each(tools)('the tool $name', ({ name, operation, tool }) => {
  test('has a name that every client can carry', () => {
    expect(name).toMatch(/^[A-Za-z0-9_.]{1,64}$/);
  });

  test('says in a sentence or two what it does', () => {
    const { en, ja } = operation.summary;
    expect(en).toMatch(/^[A-Z].*\.$/s);
    expect(en.length).toBeGreaterThanOrEqual(20);
    expect(en.length).toBeLessThanOrEqual(240);
    expect(ja).toMatch(/[ぁ-ん].*。$/s);
    expect(ja.length).toBeLessThanOrEqual(160);
  });

  test('belongs to known toolsets and says whether it writes', () => {
    expect(operation.toolsets.length).toBeGreaterThan(0);
    expect(operation.toolsets.filter((one) => !toolsets.includes(one))).toEqual([]);
    expect(['read', 'write']).toContain(operation.effect);
  });

  test('takes and returns plain objects: clients refuse a whole server for a choice at the top level', () => {
    for (const schema of [tool.inputSchema, tool.outputSchema]) {
      expect(schema.type).toBe('object');
      expect(Object.keys(schema).filter((key) => ['anyOf', 'oneOf', 'allOf', 'not', '$ref'].includes(key))).toEqual([]);
    }
  });

  test('describes every field that it takes', () => {
    expect(undescribed(tool.inputSchema)).toEqual([]);
  });

  test('refuses a cursor that no list made', () => {
    if (tool.inputSchema.properties?.['cursor'] === undefined) return;
    for (const cursor of ['nonsense', '', 'MTI', Buffer.from('12').toString('base64'), '%'])
      expect(operation.input.safeParse({ cursor }).error?.issues.map((one) => one.path.join('.'))).toContain('cursor');
  });

  test('shows an example where something has to be given', () => {
    const required = tool.inputSchema.required ?? [];
    if (required.length > 0) expect(operation.example).toMatch(/^--/);
    for (const flag of operation.example?.match(/(?<=^|\s)--[a-z-]+/g) ?? []) {
      const fields = Object.keys(tool.inputSchema.properties ?? {}).map(flagOf);
      expect([...fields, '--json', '--role']).toContain(flag);
    }
  });

  test('is listed as its snapshot says (npm run docs writes it)', () => {
    expect(JSON.parse(JSON.stringify(tool))).toEqual(
      JSON.parse(readFileSync(join(snapshots, `${name}.json`), 'utf8')) as unknown,
    );
  });
});

function flagOf(field: string): string {
  return `--${field
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()}`;
}

describe('the list of tools', () => {
  test('has every name once, also for clients that fold dots', () => {
    const folded = catalog.operations.map((one) => one.name.replaceAll('.', '_').toLowerCase());
    expect(folded.filter((name, index) => folded.indexOf(name) !== index)).toEqual([]);
  });

  test('has every command once in its toolset', () => {
    const commands = catalog.operations.flatMap((one) =>
      one.toolsets.map((toolset) => `${toolset} ${one.name.split('.').at(-1)}`),
    );
    expect(commands.filter((name, index) => commands.indexOf(name) !== index)).toEqual([]);
  });

  test('has no snapshot too many', () => {
    const known = new Set(catalog.operations.map((one) => `${one.name}.json`));
    expect(readdirSync(snapshots).filter((file) => !known.has(file))).toEqual([]);
  });

  test('resources and prompts say what they are', () => {
    for (const one of [...catalog.resources, ...catalog.prompts]) {
      expect(one.summary.en).toMatch(/^[A-Z].*\.$/s);
      expect(one.summary.ja).toMatch(/[ぁ-ん].*。$/s);
      expect(one.toolsets.filter((toolset) => !toolsets.includes(toolset))).toEqual([]);
    }
    const names = [...catalog.resources.map((one) => one.uriTemplate), ...catalog.prompts.map((one) => one.name)];
    expect(new Set(names).size).toBe(names.length);
    for (const prompt of catalog.prompts)
      for (const { description } of prompt.arguments) {
        expect(description.en).toMatch(/\S/);
        expect(description.ja).toMatch(/[ぁ-んァ-ヶ一-龥]/);
      }
  });
});

/** Sentences that clients know word for word; they are the same in both languages. */
const quoted = new Set([
  'gate.problem.REVISION_CONFLICT',
  'gate.problem.GUARD_FAILED',
  'work.problem.INVALID_CREDENTIALS',
  'work.problem.ALREADY_RUNNING',
  'work.problem.INVALID_SESSION',
  'work.problem.INVALID_SESSION_OR_TASK',
  'work.problem.INVALID_EXECUTION_OR_SESSION',
  'phase.problem.PROMPT_NOT_FOUND',
  'phase.problem.CLOUD_API_ERROR',
  'phase.phrase.completed',
  'phase.phrase.finished',
  'phase.phrase.checkpoint',
  'upstream.phrase.disconnected',
]);

const kana = /[\u3040-\u30ff\u4e00-\u9fff]/;

describe('the texts', () => {
  const gate = { ...gateProblems, ...gatePhrases };
  const all = { kernel, gate, hook, upstream, fleet, work, phase };
  const texts = Object.entries(all).flatMap(([module, file]) =>
    ['problem', 'refusal', 'phrase'].flatMap((kind) =>
      Object.entries((file as unknown as Record<string, Record<string, { text: Text<never> }>>)[kind] ?? {}).map(
        ([key, { text }]) => ({ key: `${module}.${kind}.${key}`, text }),
      ),
    ),
  );
  const written = (lang: Lang) =>
    new Map(texts.map(({ key, text }) => [key, String(text[lang]).replaceAll(/\s+/g, ' ')]));
  const english = written('en');
  const japanese = written('ja');

  test('there are many', () => {
    expect(texts.length).toBeGreaterThan(150);
  });

  test('a code belongs to one module', () => {
    const codes = texts.filter(({ key }) => key.includes('.problem.')).map(({ key }) => key.split('.')[2]);
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
  });

  test('what is Japanese is not English', () => {
    const same = [...japanese].filter(([key, text]) => !quoted.has(key) && text === english.get(key));
    expect(same.map(([key]) => key)).toEqual([]);
    const foreign = [...japanese].filter(([key, text]) => !quoted.has(key) && !kana.test(text));
    expect(foreign.map(([key]) => key)).toEqual([]);
  });

  test('what is English is not Japanese', () => {
    const foreign = [...english].filter(([key, text]) => !quoted.has(key) && kana.test(text));
    expect(foreign.map(([key]) => key)).toEqual([]);
  });
});

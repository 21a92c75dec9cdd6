import { describe, expect, test } from 'vitest';
import { backoffMs } from '../../src/upstream/link/backoff.ts';
import { createNaming } from '../../src/upstream/relay/naming.ts';
import { capabilitiesFor, forwardedMeta } from '../../src/upstream/wire/meta.ts';
import { paramHeaders } from '../../src/upstream/wire/param-headers.ts';
import { isRepeatable, siftTools, toolFault } from '../../src/upstream/link/tool.ts';
import fc from '../setup/property.ts';

describe('names', () => {
  const ours = ['activate', 'state_gate.get_state'];

  test('one upstream keeps its names; a name of ours is prefixed, in either spelling', () => {
    const naming = createNaming(['penpot'], ours);
    expect(naming.shown('penpot', 'execute_code')).toBe('execute_code');
    expect(naming.shown('penpot', 'activate')).toBe('penpot_activate');
    expect(naming.shown('penpot', 'state_gate.get_state')).toBe('penpot_state_gate.get_state');
    expect(naming.shown('penpot', 'state_gate_get_state')).toBe('penpot_state_gate_get_state');
  });

  test('of two upstreams whose names begin alike the longer one is meant', () => {
    const naming = createNaming(['a', 'a_b'], ours);
    expect(naming.candidates('a_b_x')[0]).toEqual({ upstream: 'a_b', name: 'x' });
    expect(naming.candidates('other')).toEqual([]);
  });

  test('a shown name always leads back to its tool', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.stringMatching(/^[a-z]{1,5}$/), { minLength: 1, maxLength: 3 }),
        fc.stringMatching(/^[a-z_.]{1,12}$/),
        (upstreams, tool) => {
          const naming = createNaming(upstreams, ours);
          for (const upstream of upstreams)
            expect(naming.candidates(naming.shown(upstream, tool))).toContainEqual({ upstream, name: tool });
        },
      ),
    );
  });
});

describe('tools of an upstream', () => {
  const good = { name: 'x', inputSchema: { type: 'object' } };

  test('what a client’s own schema would refuse is a fault', () => {
    expect(toolFault(good)).toBeUndefined();
    expect(toolFault({ ...good, name: 'with.dots-and_more' })).toBeUndefined();
    for (const bad of [
      null,
      'x',
      { ...good, name: '' },
      { ...good, name: 'a b' },
      { ...good, name: 'x'.repeat(129) },
      { name: 'x' },
      { ...good, inputSchema: { type: 'string' } },
      { ...good, inputSchema: { type: 'object', required: 'a' } },
      { ...good, inputSchema: { type: 'object', properties: { a: true } } },
      { ...good, outputSchema: 'none' },
      { ...good, description: 7 },
      { ...good, icons: {} },
    ])
      expect(toolFault(bad), JSON.stringify(bad)).toMatchObject({ en: expect.any(String), ja: expect.any(String) });
  });

  test('nothing that an upstream can list makes sifting fail', () => {
    fc.assert(
      fc.property(fc.array(fc.anything()), (list) => {
        const { tools, leftOut } = siftTools(list);
        expect(tools.length + leftOut.length).toBe(list.length);
      }),
    );
  });

  test('only a tool that says so may be called again', () => {
    expect(isRepeatable(undefined)).toBe(false);
    expect(isRepeatable(good)).toBe(false);
    expect(isRepeatable({ ...good, annotations: { destructiveHint: true } })).toBe(false);
    expect(isRepeatable({ ...good, annotations: { idempotentHint: true } })).toBe(true);
    expect(isRepeatable({ ...good, annotations: { readOnlyHint: true } })).toBe(true);
  });
});

test('waits grow, have an end, and differ', () => {
  const waits = [0, 1, 2, 3, 50].map((attempt) => backoffMs(attempt, 100, 30_000, () => 1));
  expect(waits).toEqual([100, 200, 400, 800, 30_000]);
  expect(backoffMs(0, 100, 30_000, () => 0)).toBe(50);
});

test('arguments that must stand in headers do, and what cannot stand there is wrapped', () => {
  const schema = {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      deep: { type: 'object', properties: { n: { type: 'integer', 'x-mcp-header': 'N' } } },
    },
  };
  expect(paramHeaders(schema, { region: 'eu', deep: { n: 3 } })).toEqual({
    'Mcp-Param-Region': 'eu',
    'Mcp-Param-N': '3',
  });
  expect(paramHeaders(schema, { region: 'Zürich' })).toEqual({ 'Mcp-Param-Region': '=?base64?WsO8cmljaA==?=' });
  expect(paramHeaders(schema, {})).toEqual({});
});

test('of a client’s _meta only its own marks travel on', () => {
  const wire = { era: 'legacy', capabilities: { roots: {} }, logLevel: undefined } as const;
  const legacy = { era: 'legacy' } as const;
  expect(forwardedMeta({ progressToken: 1, 'io.modelcontextprotocol/clientInfo': {} }, wire, legacy)).toBeUndefined();
  const related = { 'vendor/x': 2, 'io.modelcontextprotocol/related-task': { taskId: 't' } };
  expect(forwardedMeta({ progressToken: 1, ...related }, wire, legacy)).toEqual(related);
  expect(forwardedMeta({}, wire, { era: 'modern' })).toEqual({
    'io.modelcontextprotocol/clientCapabilities': { roots: {} },
    'io.modelcontextprotocol/logLevel': 'info',
  });
});

test('what a client can do is promised as it said it, but for tasks of the other era', () => {
  const tasks = { 'io.modelcontextprotocol/tasks': {} };
  const capabilities = {
    sampling: { tools: {} },
    tasks: { list: {} },
    extensions: { ...tasks, 'vendor/x': {} },
    odd: 1,
  };
  expect(capabilitiesFor('legacy', { era: 'legacy', capabilities })).toEqual(capabilities);
  expect(capabilitiesFor('modern', { era: 'legacy', capabilities })).toEqual({
    sampling: { tools: {} },
    extensions: { 'vendor/x': {} },
    odd: 1,
  });
  expect(capabilitiesFor('legacy', { era: 'modern', capabilities: { extensions: tasks } })).toEqual({});
});

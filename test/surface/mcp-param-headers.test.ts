import { expect, test } from 'vitest';
import { paramHeaderFault } from '../../src/surface/mcp/param-headers.ts';

const schema = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    place: { type: 'object', properties: { floor: { type: 'integer', 'x-mcp-header': 'Floor' } } },
  },
};

function fault(input: unknown, headers: Record<string, string>): string | undefined {
  return paramHeaderFault(schema, input, (name) => headers[name]);
}

test('an argument that stands in its header is let in, plain or as Base64', () => {
  expect(fault({ region: 'eu' }, { 'Mcp-Param-Region': 'eu' })).toBeUndefined();
  expect(fault({ region: '東京' }, { 'Mcp-Param-Region': '=?base64?5p2x5Lqs?=' })).toBeUndefined();
  expect(fault({ place: { floor: 42 } }, { 'Mcp-Param-Floor': '42.0' })).toBeUndefined();
});

test('an argument that is absent needs no header', () => {
  expect(fault({ region: null }, {})).toBeUndefined();
  expect(fault(undefined, { 'Mcp-Param-Region': 'eu' })).toBeUndefined();
});

test('a header that is absent, differs or is badly encoded is a fault', () => {
  expect(fault({ region: 'eu' }, {})).toContain('absent');
  expect(fault({ region: 'eu' }, { 'Mcp-Param-Region': 'us' })).toContain('differ');
  expect(fault({ region: 'Hello' }, { 'Mcp-Param-Region': '=?base64?SGVsbG8?=' })).toContain('Base64');
  expect(fault({ place: { floor: 1 } }, { 'Mcp-Param-Floor': '2' })).toContain('place.floor');
});

import { expect, test } from 'vitest';
import { uriTemplate } from '../../src/base/template.ts';
import fc from '../setup/property.ts';

test.each([
  ['/hook/{client}', '/hook/claude', { client: 'claude' }],
  ['/hook/{client}', '/hook/a%2Fb', { client: 'a/b' }],
  ['/hook/{client}', '/hook/', undefined],
  ['/hook/{client}', '/hook/a/b', undefined],
  ['/hook/{client}', '/hook/%', undefined],
  ['stategate://runs/{run_id}/summary', 'stategate://runs/run-1/summary', { run_id: 'run-1' }],
  ['stategate://runs/{run_id}/summary', 'stategate://runs/run-1/summary/more', undefined],
  ['x://{a}/{b}', 'x://1/2', { a: '1', b: '2' }],
  ['x://{a,b}', 'x://1,2', { a: '1', b: '2' }],
  ['file:///{path}', 'file:///a', { path: 'a' }],
  ['file:///{path}', 'file:///a/b', undefined],
  ['file:///{+path}', 'file:///a/b', { path: 'a/b' }],
  ['x://find{?q}', 'x://find?q=1', {}],
  ['x://find{?q}', 'x://find', {}],
  ['x://a.b/{id}', 'x://aXb/1', undefined],
  ['x://plain', 'x://plain', {}],
])('%s and %s', (template, uri, variables) => {
  expect(uriTemplate(template)(uri)).toEqual(variables);
});

test('what was put into a template comes out of it', () => {
  fc.assert(
    // In graphemes: half a character cannot stand in an address.
    fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (value) => {
      expect(uriTemplate('x://{value}/end')(`x://${encodeURIComponent(value)}/end`)).toEqual({ value });
    }),
  );
});

test('no text makes a template that throws', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (template, uri) => {
      uriTemplate(template)(uri);
    }),
  );
});

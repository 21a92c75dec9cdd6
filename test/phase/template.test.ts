import { describe, expect, test } from 'vitest';
import { type Part, fillTemplate, parseTemplate } from '../../src/phase/prompt/template.ts';
import fc from '../setup/property.ts';

const render = (text: string, values: Readonly<Record<string, unknown>>) => fillTemplate(parseTemplate(text), values);
const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/);

describe('templates', () => {
  test('a text without placeholders stays what it is, to the last character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('{{')),
        (text) => {
          expect(render(text, {})).toEqual({ text, missing: [] });
        },
      ),
    );
  });

  test('a value is put in as it is and never read as a template itself', () => {
    fc.assert(
      fc.property(
        name,
        fc.string(),
        fc.string().filter((text) => !/[{\\$]/.test(text)),
        (variable, value, rest) => {
          const { text } = render(`${rest}{{${variable}}}${rest}`, { [variable]: value, other: 'x' });
          expect(text).toBe(`${rest}${value}${rest}`);
        },
      ),
    );
    expect(render('{{a}}', { a: '{{b}} {{> c}}', b: 'no' }).text).toBe('{{b}} {{> c}}');
  });

  test('every variable without a value is named once, in order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 6 }), (names) => {
        const text = [...names, ...names].map((one) => `{{${one}}}`).join(' ');
        expect(render(text, {}).missing).toEqual(names);
      }),
    );
  });

  test('an escaped placeholder comes out without its backslash, whatever its name', () => {
    fc.assert(
      fc.property(name, (variable) => {
        expect(render(`\\{{${variable}}}`, { [variable]: 'filled' })).toEqual({ text: `{{${variable}}}`, missing: [] });
      }),
    );
  });

  test.each(['{{#if x}}', '${{ secrets.TOKEN }}', '{{ a + b }}', '{{}}', '{{"x"}}', '{a}', '{{{', '}}'])(
    '%s is no placeholder of ours',
    (text) => expect(render(text, {})).toEqual({ text, missing: [] }),
  );

  test('inherited properties are no variables', () => {
    expect(render('{{constructor.name}} {{a.__proto__}} {{a.toString}}', { a: {} }).missing).toEqual([
      'constructor.name',
      'a.__proto__',
      'a.toString',
    ]);
  });

  test('an optional variable may be missing, lists and objects are readable', () => {
    expect(
      render('[{{goal?}}] {{files}} {{n}} {{result.status}}\n{{result}}', {
        files: ['a.md', 'b.md'],
        n: 3,
        result: { status: 'completed' },
      }).text,
    ).toBe('[] a.md, b.md 3 completed\n{\n  "status": "completed"\n}');
  });

  test('includes are found with and without spaces, in any script', () => {
    const includes = (text: string) => parseTemplate(text).filter((part: Part) => part.kind === 'include');
    expect(includes('{{> rules}} {{>共通}} {{> a.b-c_d }}')).toEqual([
      { kind: 'include', name: 'rules' },
      { kind: 'include', name: '共通' },
      { kind: 'include', name: 'a.b-c_d' },
    ]);
    expect(includes('{{> ../secret}} {{> .hidden}}')).toEqual([]);
  });
});

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readDefinition } from '../../src/gate/definition/file.ts';
import { checkExpression } from '../../src/gate/definition/expression.ts';
import { matchName, matchesGlob } from '../../src/gate/definition/glob.ts';
import { cpuSecondsOf } from '../setup/cpu.ts';
import fc from '../setup/property.ts';

const folder = join(import.meta.dirname, '../fixtures/processes');
const samples = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));

test('a definition with any text in it is read or refused with findings, never a crash', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...samples),
      fc.nat(),
      fc.nat(60),
      fc.oneof(
        fc.string(),
        fc.constantFrom(
          '{',
          '- ',
          ': ',
          '*a',
          '&a ',
          '!!js/function x',
          '\t',
          '"',
          '[',
          'null',
          '1e999',
          '__proto__: 1',
        ),
      ),
      (sample, at, length, text) => {
        const start = at % sample.length;
        const broken = sample.slice(0, start) + text + sample.slice(start + length);
        const file = readDefinition('fuzzed.yaml', broken);
        expect(file.definition !== undefined || file.findings.length > 0).toBe(true);
        for (const finding of file.findings) {
          expect(finding.line).toBeGreaterThan(0);
          expect(finding.remedy('en')).not.toBe('');
          expect(finding.remedy('ja')).not.toBe('');
        }
      },
    ),
    { numRuns: 100 },
  );
});

test('a definition that is any JSON at all is refused with findings, never a crash', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const file = readDefinition('fuzzed.yaml', JSON.stringify(value));
      expect(file.definition).toBeUndefined();
      expect(file.findings.length).toBeGreaterThan(0);
    }),
    { numRuns: 300 },
  );
});

test('an alias bomb is refused at once', () => {
  const bomb = [
    'a: &a [x, x, x, x, x, x, x, x, x]',
    ...'bcdefghi'
      .split('')
      .map(
        (name, index) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefgh'[index]}`).join(', ')}]`,
      ),
  ].join('\n');
  const taken = cpuSecondsOf(() => expect(readDefinition('bomb.yaml', bomb).findings[0]?.code).toBe('YAML'));
  expect(taken).toBeLessThan(30);
});

test('any text is a valid or an invalid expression, never a crash', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-z.()[\]"'0-9 &|<>=!+*/-]{1,60}$/)), (text) => {
      const fault = checkExpression(text);
      expect(fault === undefined || fault.length > 0).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('globs and wildcards agree with a plain regular expression and never hang', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[ab*?]{0,8}$/), fc.stringMatching(/^[ab]{0,10}$/), (pattern, name) => {
      const plain = new RegExp(`^${pattern.replaceAll(/\*+/g, '.*').replaceAll('?', '.')}$`);
      expect(matchName(pattern, name)).toBe(plain.test(name));
    }),
  );
  expect(matchesGlob(`${'**/'.repeat(30)}x`, `${'a/'.repeat(200)}y`)).toBe(false);
  expect(matchName(`${'*a'.repeat(40)}b`, 'a'.repeat(5000))).toBe(false);
});

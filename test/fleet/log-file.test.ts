import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createLines } from '../../src/fleet/host/lines.ts';
import { openLog, readLog } from '../../src/fleet/host/log-file.ts';
import fc from '../setup/property.ts';

const weight = 64 * 1024 * 1024;
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'sekisho-log-'));
  folders.push(made);
  return made;
}

describe('a log', () => {
  test('is read to its end in pages of any size, and goes on where it was left', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 30 }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 20 }),
        (words, size) => {
          const lines = words.map((word) => word.replaceAll(/[\r\n]/g, ' '));
          const place = folder();
          const log = openLog(place);
          const seen: string[] = [];
          let at = 0;
          const drain = (whole: boolean) => {
            for (;;) {
              const page = readLog(place, { from: at, limit: size, whole, weight });
              seen.push(...page.lines);
              at = page.next;
              if (!page.more) return;
            }
          };
          for (const line of lines) {
            log.write(Buffer.from(`${line}\n`));
            if (line.length % 3 === 0) drain(false);
          }
          log.close();
          drain(true);
          expect(seen).toEqual(lines);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('keeps the newest, says what it dropped, and positions outlive the rotation', () => {
    const place = folder();
    const log = openLog(place);
    const line = `${'x'.repeat(1023)}\n`;
    for (let count = 0; count < 40 * 1024; count += 64) log.write(Buffer.from(line.repeat(64)));
    log.write(Buffer.from('the last\n'));
    log.close();
    const bytes = readdirSync(place).reduce((sum, name) => sum + statSync(join(place, name)).size, 0);
    expect(bytes).toBeLessThanOrEqual(16 * 1024 * 1024);
    const page = readLog(place, { from: 0, limit: 2, whole: true, weight });
    expect(page).toMatchObject({ more: true, lines: [line.trim(), line.trim()] });
    expect(page.dropped).toBe(40 * 1024 * 1024 + 9 - bytes);
    expect(readLog(place, { from: 40 * 1024 * 1024, limit: 10, whole: true, weight })).toMatchObject({
      lines: ['the last'],
      more: false,
      dropped: 0,
    });
  });

  test('half a line waits for its end while the agent lives', () => {
    const place = folder();
    const log = openLog(place);
    log.write(Buffer.from('whole\nha'));
    const first = readLog(place, { from: 0, limit: 10, whole: false, weight });
    expect(first.lines).toEqual(['whole']);
    log.write(Buffer.from('lf\n'));
    expect(readLog(place, { from: first.next, limit: 10, whole: false, weight }).lines).toEqual(['half']);
    log.close();
  });

  test('has lines of any length, also across its files', () => {
    const place = folder();
    const log = openLog(place);
    const seen: string[] = [];
    const lines = createLines({ raw: (bytes) => log.write(bytes), lines: (some) => seen.push(...some) });
    const long = 'a'.repeat(9 * 1024 * 1024);
    const all = ['before', long, 'after', 'the last'];
    const whole = Buffer.from(all.join('\n'));
    for (let at = 0; at < whole.length; at += 65_536) lines.add(whole.subarray(at, at + 65_536));
    // What has no end yet is in the log all the same, but no line of it.
    expect(readLog(place, { from: 0, limit: 10, whole: false, weight }).lines).toEqual(all.slice(0, 3));
    lines.end();
    log.close();
    expect(readdirSync(place).length).toBeGreaterThan(1);
    expect(seen).toEqual(all);
    const page = readLog(place, { from: 0, limit: 2, whole: true, weight });
    expect(page.lines).toEqual(all.slice(0, 2));
    expect(readLog(place, { from: page.next, limit: 9, whole: true, weight })).toMatchObject({
      lines: ['after', 'the last'],
      more: false,
    });
  });

  test('gives a line that is too large for a message in pieces, of whole characters', () => {
    const place = folder();
    const log = openLog(place);
    const text = '関所 "\u0001'.repeat(200);
    log.write(Buffer.from(`short\n${text}\nshort\n`));
    log.close();
    const seen: string[] = [];
    for (let from = 0, more = true; more;) {
      const page = readLog(place, { from, limit: 10, whole: true, weight: 1000 });
      expect(Buffer.byteLength(JSON.stringify(JSON.stringify(page.lines)))).toBeLessThan(1100);
      seen.push(...page.lines);
      from = page.next;
      more = page.more;
    }
    expect(seen.length).toBeGreaterThan(3);
    expect(seen.join('')).toBe(`short${text}short`);
  });

  test('of an agent that never printed is empty', () => {
    expect(readLog('/nowhere/at/all', { from: 0, limit: 10, whole: true, weight })).toEqual({
      lines: [],
      next: 0,
      dropped: 0,
      more: false,
    });
  });
});

test('lines are the same however the stream was cut', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 20 }), fc.array(fc.integer({ min: 1, max: 7 })), (words, cuts) => {
      const whole = Buffer.from(words.map((word) => word.replaceAll('\n', ' ')).join('\n'));
      const seen: string[] = [];
      const raw: Buffer[] = [];
      const lines = createLines({ raw: (bytes) => raw.push(bytes), lines: (some) => seen.push(...some) });
      let at = 0;
      for (const cut of cuts) {
        lines.add(whole.subarray(at, at + cut));
        at = Math.min(whole.length, at + cut);
      }
      lines.add(whole.subarray(at));
      lines.end();
      expect(Buffer.concat(raw)).toEqual(whole);
      const wanted = whole.toString('utf8').split('\n');
      expect(seen).toEqual(wanted.at(-1) === '' ? wanted.slice(0, -1) : wanted);
    }),
  );
});

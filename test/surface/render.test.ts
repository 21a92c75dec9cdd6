import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { renderAnswer } from '../../src/surface/terminal/render.ts';
import { renderLog } from '../../src/surface/terminal/log.ts';
import { fitLines, wrap } from '../../src/surface/terminal/fit.ts';
import type { Screen } from '../../src/surface/terminal/screen.ts';

const run = 'run-01a1e2ae-4373-7a22-ab29-cb376ef13668';
const ids = new Map(
  Array.from({ length: 4 }, (_, n) => [`run-01a1e2ae-437${n}-7a22-ab29-cb376ef13668`, `run-01a1e2ae-437${n}`]),
);
const screen: Screen = { width: 80, lang: 'en', now: new Date('2026-11-16T12:00:00Z'), ids };
const widest = (text: string) => Math.max(...text.split('\n').map((line) => stringWidth(line)));

test('columns stand below each other, whatever is written in them', () => {
  const shown = renderAnswer(
    {
      tasks: [
        { title: 'Login', status: 'done' },
        { title: '設計する', status: 'todo' },
        { title: 'Family 👨‍👩‍👧', status: 'todo' },
      ],
    },
    screen,
  );
  const [, ...lines] = shown.trimEnd().split('\n');
  const places = lines.map((line) => stringWidth(line.replace(/\S+$/, '')));
  expect(new Set(places).size).toBe(1);
  expect(places[0]).toBe(2 + 'Family '.length + 2 + 2);
});

describe('what a person sees', () => {
  const answer = {
    run_id: run,
    state: 'explore',
    created_at: '2026-11-16T11:57:00.000Z',
    prompt: '調べたことを notes.md に書いてください。'.repeat(5),
    hooks: { prepared: ['claude', 'codex'], receipts: 3, nested: { deep: true } },
    nothing: null,
    runs: Array.from({ length: 3 }, (_, n) => ({
      run_id: `run-01a1e2ae-437${n}-7a22-ab29-cb376ef13668`,
      process_id: 'explore-plan-implement-verify',
      state: 'implement',
      revision: n,
      context: { goal: '長い目的の説明がここに入ります', list: [{ a: 1 }, { a: 2 }] },
      updated_at: '2026-11-16T09:00:00Z',
      is_final: false,
    })),
  };

  test.each([20, 40, 60, 80, 200])('fits %i columns, without JSON, long ids or holes', (width) => {
    for (const lang of ['en', 'ja'] as const) {
      const shown = renderAnswer(answer, { ...screen, width, lang });
      expect(widest(shown)).toBeLessThanOrEqual(width);
      expect(shown).not.toMatch(/[{}[\]"]|undefined|null|\[object/);
      expect(shown).not.toContain('cb376ef13668');
      expect(shown).not.toMatch(/\d{4}-\d\d-\d\dT/);
    }
  });

  test('at a usual width', () => {
    const shown = renderAnswer(answer, screen);
    // The clock is the person's own.
    expect(shown).toMatch(/3 min ago \(\d{4}-\d\d-\d\d \d\d:\d\d:00\)/);
    expect(shown.replace(/ \(\d{4}-.*\)/, '')).toMatchSnapshot();
  });

  test('on a narrow one, each row is a block', () => {
    expect(renderAnswer({ runs: answer.runs }, { ...screen, width: 40, lang: 'ja' })).toMatchSnapshot();
  });

  test('what the next command needs is never cut: other columns are', () => {
    const processes = ['explore-plan-implement-verify', 'a'].map((process_id) => ({
      process_id,
      version: '2.0.0',
      name: 'Explore, plan, implement, verify',
      description: 'A change by a coding agent, in four steps, with evidence for each of them',
    }));
    for (const width of [60, 80])
      expect(renderAnswer({ processes }, { ...screen, width })).toContain('explore-plan-implement-verify');
  });

  test('nothing of a row that others wrote moves the cursor', () => {
    const shown = renderAnswer({ rows: [{ title: 'a\u001b[2Jb', key: '\u202Etxt' }] }, screen);
    expect(shown).not.toContain('\u001b[2J');
    expect(shown).not.toContain('\u202E');
  });

  test('the journal is lines', () => {
    const shown = renderLog(
      [{ at: '2026-11-16T11:00:00Z', actor: 'agent:claude', kind: 'run.event', subject: run, data: { event: 'go' } }],
      screen,
    );
    expect(shown).toMatch(/^\d\d:\d\d:\d\d {2}run\.event run-01a1e2ae-4373 agent:claude event go\n$/);
  });
});

test('words are broken only where they have no room of their own', () => {
  expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
  expect(wrap('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
  expect(wrap('設計する', 4)).toEqual(['設計', 'する']);
  expect(wrap('', 4)).toEqual(['']);
});

test('lines that are laid out go on below where their text began; what is copied stays in one piece', () => {
  const head = '0'.repeat(64);
  const shown = fitLines(
    `ok    project  ${'a b '.repeat(20)}\n+    "command": "${'x '.repeat(30)}"\nHead: ${head}`,
    40,
  );
  const lines = shown.split('\n');
  expect(lines.slice(1, 3).every((line) => line.startsWith(' '.repeat(15)))).toBe(true);
  expect(lines.filter((line) => line.startsWith('+'))).toHaveLength(1);
  expect(lines.slice(-2)).toEqual(['Head:', head]);
  expect(lines.filter((line) => stringWidth(line) > 40)).toEqual([head]);
  expect(
    fitLines(`a  \u001B[36m${'/path'.repeat(9)}\u001B[39m`, 40)
      .split('\n')
      .map((line) => stringWidth(line)),
  ).toEqual([40, 11]);
});

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { formatDuration } from '../../src/graph/duration.ts';
import { layOut } from '../../src/graph/layout.ts';
import { markOf, stepKey, stepsTaken, timeIn } from '../../src/graph/progress.ts';
import { sceneOf } from '../../src/graph/scene.ts';
import { colours, drawSvg } from '../../src/graph/svg.ts';

const process = {
  initial_state: 'draft',
  states: ['draft', 'review', '公開'].map((name) => ({ name, is_final: name === '公開' })),
  transitions: [
    { from: 'draft', event: 'submit', to: 'review', guards: [{ name: 'has_note' }] },
    { from: 'review', event: 'reject', to: 'draft', guards: [] },
    { from: 'review', event: 'approve', to: '公開', guards: [{ name: 'approved' }, { name: 'tests' }] },
    { from: 'review', event: 'again', to: 'review', guards: [] },
  ],
};

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();
const progress = {
  current: 'review',
  visits: [
    { state: 'draft', entered_at: at(0), left_at: at(10), by_event: null },
    { state: 'review', entered_at: at(10), left_at: at(15), by_event: 'submit' },
    { state: 'draft', entered_at: at(15), left_at: at(20), by_event: 'reject' },
    { state: 'review', entered_at: at(20), left_at: null, by_event: 'submit' },
  ],
  ways: [
    {
      event: 'approve',
      to: '公開',
      guards: [
        { name: 'approved', is_satisfied: false, is_pending: false, reason: 'nobody' },
        { name: 'tests', is_satisfied: false, is_pending: true, reason: 'later' },
      ],
    },
  ],
};

describe('the graph of a process', () => {
  test('has every state once, none over another, and the same place each time', () => {
    const { boxes, arrows, start, width, height } = layOut(process);
    expect(boxes.map((one) => one.name)).toEqual(['draft', 'review', '公開']);
    for (const [index, one] of boxes.entries())
      for (const other of boxes.slice(index + 1))
        expect(
          one.x + one.width <= other.x ||
            other.x + other.width <= one.x ||
            one.y + one.height <= other.y ||
            other.y + other.height <= one.y,
        ).toBe(true);
    expect(arrows).toHaveLength(4);
    expect(arrows.every((one) => /^M[\d.-]+,[\d.-]+ /.test(one.path))).toBe(true);
    expect(boxes.every((one) => one.x >= 0 && one.x + one.width <= width && one.y + one.height <= height)).toBe(true);
    expect(layOut(process)).toEqual({ boxes, arrows, start, width, height });
  });

  test('counts the steps that were taken and the time in each state', () => {
    expect(stepsTaken(progress).get(stepKey('draft', 'submit', 'review'))).toBe(2);
    expect(stepsTaken(progress).has(stepKey('review', 'approve', '公開'))).toBe(false);
    expect(Object.fromEntries(timeIn(progress, Date.parse(at(30)), false))).toEqual({ draft: 15_000, review: 15_000 });
    expect(timeIn(progress, Date.parse(at(30)), true).get('review')).toBe(5000);
  });

  test('marks what is met, missing or only known later, at the ways out alone', () => {
    expect(markOf(progress, 'review', 'approve', '公開', 'approved')).toBe('missing');
    expect(markOf(progress, 'review', 'approve', '公開', 'tests')).toBe('pending');
    expect(markOf(progress, 'draft', 'submit', 'review', 'has_note')).toBe('unknown');
  });
});

describe('the graph as a file', () => {
  const stand = { progress, status: 'open' as const, now: Date.parse(at(30)) };
  const drawn = drawSvg('Review', sceneOf(layOut(process), 'ja', stand));

  test('shows where the run is, its path, what comes next and what that misses', () => {
    expect(drawn).toMatch(
      /<g class="box current"><rect [^>]+><text class="name"[^>]*>review<.*?class="spent"[^>]*>15 秒</,
    );
    expect(drawn).toMatch(/<g class="box visited">.*>draft</);
    expect(drawn.match(/<path class="arrow taken"/g)).toHaveLength(2);
    expect(drawn.match(/<path class="arrow next"/g)).toHaveLength(2);
    expect(drawn).toContain('>✗ approved<');
    expect(drawn).toContain('>… tests<');
    expect(drawn).toMatch(/class="guard unknown"[^>]*>has_note</);
  });

  test('of a process alone marks nothing, and what stands in names stays text', () => {
    const name = '</text><script>a & b\u0007';
    const names = [name, '__proto__', 'constructor'];
    const hostile = {
      ...process,
      states: [...process.states, ...names.map((one) => ({ name: one, is_final: false }))],
    };
    const text = drawSvg(name, sceneOf(layOut(hostile), 'en'));
    expect(text).not.toMatch(/class="(box|arrow|guard|words arrow) (current|visited|taken|next|met|missing)/);
    expect(text).toContain('&lt;/text&gt;&lt;script&gt;a &amp; b\ufffd');
    expect(text).not.toContain('<script');
  });

  test('has the colours of the dashboard', () => {
    const tokens = readFileSync(new URL('../../dashboard/style/tokens.css', import.meta.url), 'utf8');
    for (const name of Object.keys(colours.light) as (keyof typeof colours.light)[])
      expect(tokens).toContain(`--${name}: light-dark(${colours.light[name]}, ${colours.dark[name]});`);
  });
});

test('lengths of time are as a person says them', () => {
  expect([formatDuration(400, 'en'), formatDuration(65_000, 'en'), formatDuration(90_000_000, 'ja')]).toEqual([
    '< 1 s',
    '1 min 5 s',
    '1 日 1 時間',
  ]);
});

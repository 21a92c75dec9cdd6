import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { renderAnswer } from '../../src/surface/terminal/render.ts';

test('columns stand below each other, whatever is written in them', () => {
  const shown = renderAnswer({
    tasks: [
      { title: 'Login', status: 'done' },
      { title: '設計する', status: 'todo' },
      { title: 'Family 👨‍👩‍👧', status: 'todo' },
    ],
  });
  const [, ...lines] = shown.trimEnd().split('\n');
  const places = lines.map((line) => stringWidth(line.replace(/\S+$/, '')));
  expect(new Set(places).size).toBe(1);
  expect(places[0]).toBe(2 + 'Family '.length + 2 + 2);
});

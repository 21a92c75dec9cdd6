import type { Rectangle } from './layout.ts';
import type { Line, Scene } from './scene.ts';

/** The dashboard's colours (`dashboard/style/tokens.css`), without `light-dark()`: only browsers support it. */
export const colours = {
  light: {
    paper: '#fffefc',
    'line-strong': '#8a8780',
    ink: '#1b1c1e',
    dim: '#5b5e63',
    accent: '#a8201a',
    'on-accent': '#fff',
    held: '#1a6b3c',
  },
  dark: {
    paper: '#191b1e',
    'line-strong': '#767b83',
    ink: '#e9e8e4',
    dim: '#a3a8af',
    accent: '#ff8f80',
    'on-accent': '#1d0a08',
    held: '#74d29b',
  },
} as const;

type Colours = Readonly<Record<keyof (typeof colours)['light'], string>>;

/** Draws the scene as an SVG file that follows the reader's light or dark mode. */
export function drawSvg(title: string, { width, height, start, arrows, words, boxes }: Scene): string {
  const size = `viewBox="0 0 ${round(width)} ${round(height)}" width="${round(width)}" height="${round(height)}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">`,
    `<title>${escape(title)}</title>`,
    `<style>`,
    "text{font:13px system-ui,-apple-system,'Segoe UI','Hiragino Sans','Noto Sans CJK JP',sans-serif;text-anchor:middle}",
    '.spent{font-size:11px}.words text{font-size:11.5px}',
    'path.arrow{fill:none;stroke-width:1.2}path.taken{stroke-width:2.4}path.next{stroke-dasharray:5 4}',
    '.visited rect{stroke-width:2}.visited .inner{stroke-width:1}.current .name{font-weight:600}',
    paint(colours.light),
    `@media (prefers-color-scheme:dark){${paint(colours.dark)}}`,
    '</style>',
    // One arrowhead per colour: few programs support `context-stroke`.
    `<defs>${['plain', 'taken', 'next'].map(tip).join('')}</defs>`,
    `<rect class="ground" width="100%" height="100%"/>`,
    ...arrows.map(({ className, path }) => {
      const kind = className.split(' ')[1] ?? 'plain';
      return `<path class="${className}" d="${short(path)}" marker-end="url(#${kind})"/>`;
    }),
    `<circle class="start" cx="${round(start.x)}" cy="${round(start.y)}" r="5"/>`,
    ...words.map(
      ({ className, room, lines }) =>
        `<g class="${className}">${drawRoom(room, 'class="room"')}${lines.map(drawLine).join('')}</g>`,
    ),
    ...boxes.map(({ className, isFinal, lines, ...box }) =>
      [
        `<g class="${className}">${drawRoom(box, 'rx="7"')}`,
        isFinal ? drawRoom(innerBorder(box), 'class="inner" rx="5"') : '',
        ...lines.map(drawLine),
        '</g>',
      ].join(''),
    ),
    '</svg>',
    '',
  ].join('\n');
}

function paint(of: Colours): string {
  return [
    `.ground{fill:${of.paper}}text{fill:${of.ink}}`,
    `path.arrow{stroke:${of['line-strong']}}path.taken{stroke:${of.held}}path.next{stroke:${of.ink}}`,
    `.tip-plain{fill:${of['line-strong']}}.tip-taken{fill:${of.held}}.tip-next{fill:${of.ink}}`,
    `.room{fill:${of.paper}}.start{fill:${of['line-strong']}}.spent,.guard{fill:${of.dim}}.guard.met{fill:${of.held}}.guard.missing{fill:${of.accent}}`,
    `.box rect{fill:${of.paper};stroke:${of['line-strong']}}.visited rect{stroke:${of.held}}`,
    `.current rect{fill:${of.accent};stroke:${of.accent}}.current .inner{stroke:${of['on-accent']}}.current text{fill:${of['on-accent']}}`,
    `.over rect{fill:${of.held};stroke:${of.held}}.over .inner{stroke:${of.paper}}.over text{fill:${of.paper}}`,
    `.aborted rect{fill:${of.dim};stroke:${of.dim}}.aborted .inner{stroke:${of.paper}}.aborted text{fill:${of.paper}}`,
    '.box .inner{fill:none}',
  ].join('');
}

function tip(kind: string): string {
  return `<marker id="${kind}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path class="tip-${kind}" d="M0,0.5 L7.5,4 L0,7.5 z"/></marker>`;
}

function drawRoom({ x, y, width, height }: Rectangle, rest: string): string {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" ${rest}/>`;
}

function innerBorder({ x, y, width, height }: Rectangle): Rectangle {
  return { x: x + 3, y: y + 3, width: width - 6, height: height - 6 };
}

function drawLine({ className, text, x, y }: Line): string {
  return `<text class="${className}" x="${round(x)}" y="${round(y)}">${escape(text)}</text>`;
}

function short(path: string): string {
  return path.replaceAll(/\d+\.\d+/g, (one) => String(round(Number(one))));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Escapes text for XML, which allows no control characters. Names are untrusted. */
function escape(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

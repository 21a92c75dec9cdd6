import type { Tone } from '../badge.tsx';

/** Something that lasted. Times in milliseconds. */
export interface Bar {
  readonly text: string;
  readonly tone: Tone;
  readonly from: number;
  /** Null: it goes on. */
  readonly to: number | null;
}

export interface Lane {
  readonly id: string;
  readonly title: string;
  readonly bars: readonly Bar[];
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

const narrowest = 0.6;

/** From the first beginning to the last end; what goes on reaches until now. */
export function spanOf(lanes: readonly Lane[], now: number): Span {
  const bars = lanes.flatMap((lane) => lane.bars);
  if (bars.length === 0) return { from: now, to: now + 1 };
  const from = Math.min(...bars.map((bar) => bar.from));
  const to = Math.max(...bars.map((bar) => bar.to ?? now), from + 1);
  return { from, to };
}

/** In percent of the whole; even the shortest can be seen, and none reaches over the end. */
export function placed(bar: Bar, span: Span, now: number): { readonly x: number; readonly width: number } {
  const percent = (ms: number): number => (ms / (span.to - span.from)) * 100;
  const width = Math.max(narrowest, percent((bar.to ?? Math.max(now, bar.from)) - bar.from));
  return { x: Math.min(percent(bar.from - span.from), 100 - narrowest), width: Math.min(100, width) };
}

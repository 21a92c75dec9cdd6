import type { Tone } from '../badge.tsx';

/** A period of time. Times are in milliseconds. */
export interface Bar {
  readonly text: string;
  readonly tone: Tone;
  readonly from: number;
  /** Null while it continues. */
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

/** The time from the first start to the last end. A bar that continues ends now. */
export function spanOf(lanes: readonly Lane[], now: number): Span {
  const bars = lanes.flatMap((lane) => lane.bars);
  if (bars.length === 0) return { from: now, to: now + 1 };
  const from = Math.min(...bars.map((bar) => bar.from));
  const to = Math.max(...bars.map((bar) => bar.to ?? now), from + 1);
  return { from, to };
}

/** The position of a bar in percent. Even the shortest is visible, and none exceeds the end. */
export function placed(bar: Bar, span: Span, now: number): { readonly x: number; readonly width: number } {
  const percent = (ms: number): number => (ms / (span.to - span.from)) * 100;
  const width = Math.max(narrowest, percent((bar.to ?? Math.max(now, bar.from)) - bar.from));
  return { x: Math.min(percent(bar.from - span.from), 100 - narrowest), width: Math.min(100, width) };
}

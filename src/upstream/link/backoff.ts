/** Computes a doubling delay with jitter, so that servers that lost the same upstream do not reconnect together. */
export function backoffMs(attempt: number, firstMs: number, maxMs: number, random: () => number): number {
  const whole = Math.min(maxMs, firstMs * 2 ** Math.min(attempt, 30));
  return whole * (0.5 + random() / 2);
}

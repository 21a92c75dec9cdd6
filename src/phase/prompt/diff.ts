type Step = { readonly kind: ' ' | '-' | '+'; readonly line: string };

const around = 3;

/** Two texts as a unified diff, line by line; empty where they are equal. */
export function unifiedDiff(before: string, after: string, names: readonly [string, string]): string {
  if (before === after) return '';
  const steps = compare(linesOf(before), linesOf(after));
  const hunks: string[] = [];
  for (let at = 0; at < steps.length;) {
    const first = steps.findIndex((step, index) => index >= at && step.kind !== ' ');
    if (first < 0) break;
    const start = Math.max(at, first - around);
    const end = endOfHunk(steps, first);
    hunks.push(hunk(steps, start, end));
    at = end;
  }
  return [`--- ${names[0]}`, `+++ ${names[1]}`, ...hunks, ''].join('\n');
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** Changes that have at most twice the surroundings between them share a hunk. */
function endOfHunk(steps: readonly Step[], first: number): number {
  let last = first;
  for (let index = first; index < steps.length && index - last <= 2 * around; index++)
    if (steps[index]?.kind !== ' ') last = index;
  return Math.min(steps.length, last + around + 1);
}

function hunk(steps: readonly Step[], start: number, end: number): string {
  const count = (list: readonly Step[], other: '-' | '+') => list.filter((step) => step.kind !== other).length;
  const lead = steps.slice(0, start);
  const own = steps.slice(start, end);
  const range = (other: '-' | '+') => {
    const length = count(own, other);
    return `${count(lead, other) + (length === 0 ? 0 : 1)},${length}`;
  };
  return [`@@ -${range('+')} +${range('-')} @@`, ...own.map(({ kind, line }) => kind + line)].join('\n');
}

/** Myers: the shortest way from one list to the other. */
function compare(a: readonly string[], b: readonly string[]): readonly Step[] {
  const trace: Map<number, number>[] = [];
  let reach = new Map<number, number>([[1, 0]]);
  for (let distance = 0; distance <= a.length + b.length; distance++) {
    trace.push(new Map(reach));
    const next = new Map(reach);
    for (let k = -distance; k <= distance; k += 2) {
      let x = stepsDown(reach, k, distance) ? (reach.get(k + 1) ?? 0) : (reach.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      next.set(k, x);
      if (x >= a.length && x - k >= b.length) return walkBack(trace, a, b);
    }
    reach = next;
  }
  return [];
}

function stepsDown(reach: ReadonlyMap<number, number>, k: number, distance: number): boolean {
  return k === -distance || (k !== distance && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
}

function walkBack(
  trace: readonly ReadonlyMap<number, number>[],
  a: readonly string[],
  b: readonly string[],
): readonly Step[] {
  const steps: Step[] = [];
  let x = a.length;
  let y = b.length;
  for (let distance = trace.length - 1; distance >= 0; distance--) {
    const reach = trace[distance] ?? new Map<number, number>();
    const k = x - y;
    const from = stepsDown(reach, k, distance) ? k + 1 : k - 1;
    const fromX = distance === 0 ? 0 : (reach.get(from) ?? 0);
    const fromY = distance === 0 ? 0 : fromX - from;
    while (x > fromX && y > fromY) {
      x--;
      y--;
      steps.push({ kind: ' ', line: a[x] ?? '' });
    }
    if (distance === 0) break;
    if (x === fromX) steps.push({ kind: '+', line: b[--y] ?? '' });
    else steps.push({ kind: '-', line: a[--x] ?? '' });
  }
  return steps.toReversed();
}

import { randomUUID } from 'node:crypto';

let lastAt = 0;
let count = 0;

/** Makes a UUIDv7, which sorts by time; ids of one process sort in the order of their creation. */
export function newId(prefix: string): string {
  const at = Date.now();
  // Twelve bits count the ids of one millisecond. On overflow the next millisecond is used; a clock that is set back is ignored.
  if (at > lastAt) [lastAt, count] = [at, 0];
  else if (count < 0xfff) count += 1;
  else [lastAt, count] = [lastAt + 1, 0];
  const time = lastAt.toString(16).padStart(12, '0');
  // The rest is from a UUIDv4, because Node caches random numbers for those.
  const rest = randomUUID().slice(19);
  return `${prefix}${time.slice(0, 8)}-${time.slice(8)}-7${count.toString(16).padStart(3, '0')}-${rest}`;
}

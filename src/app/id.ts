import { randomUUID } from 'node:crypto';

let lastAt = 0;
let count = 0;

/** UUIDv7: unique, and sorted by the time it was made; those of one process in the order in which it made them. */
export function newId(prefix: string): string {
  const at = Date.now();
  // Twelve bits count within a millisecond. A clock that was set back, or more than they can count, takes the next one.
  if (at > lastAt) [lastAt, count] = [at, 0];
  else if (count < 0xfff) count += 1;
  else [lastAt, count] = [lastAt + 1, 0];
  const time = lastAt.toString(16).padStart(12, '0');
  // The rest of it is as in a UUIDv4, for which Node has random numbers in stock.
  const rest = randomUUID().slice(19);
  return `${prefix}${time.slice(0, 8)}-${time.slice(8)}-7${count.toString(16).padStart(3, '0')}-${rest}`;
}

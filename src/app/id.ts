import { randomBytes } from 'node:crypto';

let lastAt = 0;
let count = 0;

/** UUIDv7: unique, and sorted by the time it was made; those of one process in the order in which it made them. */
export function newId(prefix: string): string {
  const bytes = randomBytes(16);
  const at = Date.now();
  // Twelve bits count within a millisecond. A clock that was set back, or more than they can count, takes the next one.
  if (at > lastAt) [lastAt, count] = [at, 0];
  else if (count < 0xfff) count += 1;
  else [lastAt, count] = [lastAt + 1, 0];
  bytes.writeUIntBE(lastAt, 0, 6);
  bytes.writeUInt16BE(0x7000 | count, 6);
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${prefix}${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

import { createHash } from 'node:crypto';
import type { Entry } from '../../kernel/store.ts';

/**
 * A run's journal entries form a chain: each carries the digest of itself and of the one before. The sequence number is not
 * part of it, since it is given only at commit. Hook receipts stay outside, because they belong to no revision.
 */
export const chainStart = '0'.repeat(64);

export function chained(
  previous: string,
  plain: Omit<Entry, 'data'>,
  data: Readonly<Record<string, unknown>>,
): { entry: Entry; hash: string } {
  const linked = { ...data, previous };
  const hash = linkHash(plain, linked);
  return { entry: { ...plain, data: JSON.stringify({ ...linked, hash }) }, hash };
}

/** `data` without its own hash. */
export function linkHash(plain: Omit<Entry, 'data'>, data: Readonly<Record<string, unknown>>): string {
  return sha256(JSON.stringify([plain.at, plain.actor, plain.subject, plain.kind, data]));
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The same value gives the same text whatever the order of its keys. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value).toSorted();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical((value as Record<string, unknown>)[key])}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

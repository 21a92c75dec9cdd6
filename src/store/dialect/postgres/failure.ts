import pg from 'pg';
import { isProblem } from '../../../kernel/problem.ts';

const UNIQUE_VIOLATION = '23505';
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';

export function codeOf(error: unknown): string {
  return error instanceof pg.DatabaseError ? (error.code ?? '') : '';
}

export const isDuplicate = (error: unknown): boolean => codeOf(error) === UNIQUE_VIOLATION;

/** Whether the server rolled the transaction back because of concurrent ones. */
export const isTransient = (error: unknown): boolean =>
  [SERIALIZATION_FAILURE, DEADLOCK_DETECTED].includes(codeOf(error));

/** Whether the connection is gone, or never was: the server says so (class 08, shutdown, too many clients) or nothing. */
export function isLost(error: unknown): boolean {
  if (isProblem(error) || error instanceof TypeError || error instanceof RangeError) return false;
  return !(error instanceof pg.DatabaseError) || /^(08|57P0|53300)/.test(codeOf(error));
}

/** A URL without secrets: a password can be before the host or among the parameters, so only user, host and database are kept. */
export function withoutSecrets(url: string): string {
  try {
    const { protocol, username, host, pathname } = new URL(url);
    return `${protocol}//${username ? `${username}@` : ''}${host}${pathname}`;
  } catch {
    return 'postgres://';
  }
}

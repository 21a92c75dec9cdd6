import type { Log } from '../kernel/context.ts';

const levels = ['ERROR', 'WARN', 'INFO', 'DEBUG'] as const;

/** A log of JSON lines. It goes to stderr, because stdout belongs to the protocol. */
export function createLog(level: number, write: (line: string) => void, now: () => Date): Log {
  const at = (index: number) => (message: string, fields?: object) => {
    if (index <= level)
      write(`${JSON.stringify({ timestamp: now().toISOString(), level: levels[index], message, ...fields })}\n`);
  };
  return { error: at(0), warn: at(1), info: at(2), debug: at(3) };
}

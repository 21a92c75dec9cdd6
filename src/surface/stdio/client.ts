import { finished } from 'node:stream';

const parentCheckMs = 1000;

interface ClientEnd {
  /** Its end of the pipe is closed. It may still read what it asked for. */
  readonly silent: () => void;
  /** A signal, its whole process, or nobody reads any more. May come after `silent`, and several times. */
  readonly gone: () => void;
}

export function whenClientGone({ silent, gone: tell }: ClientEnd): void {
  finished(process.stdin, { writable: false }, silent);
  process.stdout.once('error', tell);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, tell);
  const parent = process.ppid;
  // A client that was killed does not always close our stdin: its other children may hold the pipe.
  setInterval(() => {
    if (process.ppid !== parent) tell();
  }, parentCheckMs).unref();
}

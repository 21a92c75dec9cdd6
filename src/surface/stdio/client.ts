import { finished } from 'node:stream';

const parentCheckMs = 1000;

interface ClientEnd {
  /** The client closed our stdin. It may still read answers. */
  readonly silent: () => void;
  /** A signal arrived, the client's process ended, or stdout is closed. May be called after `silent`, and several times. */
  readonly gone: () => void;
}

export function whenClientGone({ silent, gone: tell }: ClientEnd): void {
  finished(process.stdin, { writable: false }, silent);
  process.stdout.once('error', tell);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, tell);
  const parent = process.ppid;
  // If the client is killed, our stdin may stay open: its other children may hold the pipe.
  setInterval(() => {
    if (process.ppid !== parent) tell();
  }, parentCheckMs).unref();
}

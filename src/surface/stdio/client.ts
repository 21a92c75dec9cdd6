const parentCheckMs = 1000;

/** Calls back once when the client is gone: its end of the pipe, a signal, or its whole process. */
export function whenClientGone(gone: () => void): void {
  let told = false;
  const tell = () => {
    if (told) return;
    told = true;
    gone();
  };
  process.stdin.once('end', tell);
  process.stdin.once('close', tell);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, tell);
  const parent = process.ppid;
  // A client that was killed does not always close our stdin: its other children may hold the pipe.
  setInterval(() => {
    if (process.ppid !== parent) tell();
  }, parentCheckMs).unref();
}

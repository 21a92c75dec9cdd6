import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataFolder } from '../config/data-folder.ts';
import { problem } from '../kernel/problem.ts';
import { thisProcess } from '../machine/identity.ts';
import { holdLock } from '../store/dialect/sqlite/lock.ts';
import { type DaemonAddress, daemonFile, readDaemon } from './record.ts';
import { findDaemon, pauseMs, tries } from './process.ts';

/** Makes this process the user's daemon by a file lock. Returns a function that writes its address until it exits. */
export async function claimDaemon(data: DataFolder): Promise<(address: DaemonAddress) => void> {
  for (let attempt = 0; !holdLock(join(data.state, 'daemon.lock')); attempt++) {
    const running = await findDaemon(data);
    if (running !== undefined || attempt >= tries)
      throw problem.DAEMON_RUNS({ url: running?.url, pid: running?.pid ?? readDaemon(data)?.pid });
    await pause(pauseMs);
  }
  return ({ url, page }) => {
    const path = daemonFile(data);
    const text = `${JSON.stringify({ url, ...(page !== url && { page }), ...thisProcess() })}\n`;
    writeFileSync(path, text, { mode: 0o600 });
    process.once('exit', () => {
      try {
        if (readFileSync(path, 'utf8') === text) rmSync(path);
      } catch {
        // The file or its folder has been removed.
      }
    });
  };
}

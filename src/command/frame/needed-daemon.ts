import { type RunningDaemon, ensureDaemon } from '../../daemon/process.ts';
import { daemonPhrase } from '../../daemon/daemon-text.ts';
import type { Config } from '../../config/load.ts';
import { findListener } from '../../machine/listener.ts';
import { sayAside } from '../../surface/terminal/print.ts';

/** The daemon for a command that needs one and does not mind its port. It says where the daemon is on another port. */
export async function needDaemon(config: Config): Promise<RunningDaemon> {
  const daemon = await ensureDaemon(config, { args: ['--or-free-port'] });
  const { host, port } = config.http;
  if (daemon.started && port !== 0 && Number(new URL(daemon.url).port) !== port) {
    const moved = { wanted: `${host}:${port}`, by: findListener(port), url: daemon.url };
    sayAside(`${daemonPhrase.otherPort(moved)(config.lang)}\n`);
  }
  return daemon;
}

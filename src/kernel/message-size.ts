import { count, defineSettings } from './setting.ts';

const MiB = 1024 * 1024;

/** The default, also while the configuration has not been read yet. */
export const defaultMessageBytes = 64 * MiB;

export const leastMessageBytes = 64 * 1024;

export const messageSettings = defineSettings({
  /** The limit for one JSON-RPC message, in either direction, of clients and of upstreams. */
  maxMessageBytes: count(defaultMessageBytes, { from: leastMessageBytes, to: 256 * MiB }),
});

export function tooLargeMessage(limit: number): string {
  const size = limit % MiB === 0 ? `${limit / MiB} MiB` : `${limit} bytes`;
  return `The message is larger than ${size} (the setting maxMessageBytes)`;
}

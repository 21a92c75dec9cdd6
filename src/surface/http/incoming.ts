import type { IncomingMessage } from 'node:http';

/** A request to a server: `method` and `url` are always set, although Node's type has them optional. */
export type Incoming = IncomingMessage & { method: string; url: string };

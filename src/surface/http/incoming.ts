import type { IncomingMessage } from 'node:http';

/** Of a server's request both are always there; the types cannot know. */
export type Incoming = IncomingMessage & { method: string; url: string };

import { createConformanceRelay } from './relay.ts';
import { createReplay } from './replay.ts';
import { problem } from '../../kernel/problem.ts';

/** `sekisho up --conformance`: for the official suite, which cannot send a token. Everybody on this machine is let in. */
export function conformanceMode(host: string) {
  if (!isLoopback(host))
    throw problem.BAD_CONFIGURATION({
      file: '--conformance',
      reason: `it turns the token off, so it needs a loopback address instead of ${host}`,
    });
  return {
    relay: createConformanceRelay(),
    http: { anonymous: { role: 'agent', identity: 'conformance' }, replay: createReplay(1000) },
  };
}

function isLoopback(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host) || /^127(\.\d{1,3}){3}$/.test(host);
}

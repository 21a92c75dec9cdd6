import { sessionKey, signIn } from '../api/client.ts';

/** `in`: the browser has a key, which the daemon may still refuse. `spent`: the link did not work. */
export type Entered = 'in' | 'out' | 'spent';

/**
 * Signs in with the code in the fragment of a link, which no server or log has seen. The code is removed from the URL at
 * once, because the browser's history is stored on disk.
 */
export async function enter(): Promise<Entered> {
  if (location.pathname === '/open') {
    const code = location.hash.slice(1);
    history.replaceState(null, '', '/');
    if (code !== '') {
      try {
        await signIn(code);
        return 'in';
      } catch {
        return 'spent'; // Do not retry: a used link never works again.
      }
    }
  }
  return sessionKey.read() === null ? 'out' : 'in';
}

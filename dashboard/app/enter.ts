import { sessionKey, signIn } from '../api/client.ts';

/** `in`: there is a key, which the daemon may still refuse. `spent`: the link did not work. */
export type Entered = 'in' | 'out' | 'spent';

/**
 * Signs in with the code behind the `#` of a link, which no server and no log has seen. It leaves the address at once: a
 * code in the history would be a code on the disk.
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
        return 'spent'; // Never again by itself: a used link would be tried for ever.
      }
    }
  }
  return sessionKey.read() === null ? 'out' : 'in';
}

import type { Incoming } from './incoming.ts';
import { isPublic } from './origin-check.ts';

/** A session's cookie, as the way that the request came by allows. */
export interface Cookies {
  make(request: Incoming, value: string): string;
  /** Takes it away again. */
  spend(request: Incoming): string;
  read(request: Incoming): string | undefined;
}

export function createCookies(publicUrl: string | undefined): Cookies {
  // Cookies know no ports, so the name does: two daemons must not sign each other out. Over TLS the browser sees to it that
  // no other host and no page without TLS has set it, and that it never goes out in clear.
  const nameOf = (request: Incoming): string =>
    isPublic(request, publicUrl)
      ? `__Host-sekisho-${new URL(publicUrl ?? '').port || '443'}`
      : `sekisho-${request.socket.localPort}`;
  const write = (request: Incoming, value: string, seconds: number): string => {
    const secure = isPublic(request, publicUrl) ? '; Secure' : '';
    return `${nameOf(request)}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds}${secure}`;
  };
  return {
    make: (request, value) => write(request, value, 604_800),
    spend: (request) => write(request, '', 0),
    read(request) {
      const prefix = `${nameOf(request)}=`;
      const found = (request.headers.cookie ?? '').split(';').map((one) => one.trim());
      return found.find((one) => one.startsWith(prefix))?.slice(prefix.length);
    },
  };
}

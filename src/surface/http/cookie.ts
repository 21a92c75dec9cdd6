import type { Incoming } from './incoming.ts';
import { isPublic } from './origin-check.ts';

/** The cookie of a browser session. Its name and attributes depend on whether the request came over TLS. */
export interface Cookies {
  make(request: Incoming, value: string): string;
  /** Makes the header value that deletes the cookie. */
  spend(request: Incoming): string;
  read(request: Incoming): string | undefined;
}

export function createCookies(publicUrl: string | undefined): Cookies {
  // Cookies are shared across ports, so the name has the port: two daemons must not sign each other out. Over TLS,
  // `__Host-` and `Secure` make the browser refuse a cookie from another host or from plain HTTP.
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

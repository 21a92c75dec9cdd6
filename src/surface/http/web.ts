import { readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Incoming } from './incoming.ts';
import { webHeaders } from './web-headers.ts';

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json',
};

/** The compressed variants that the build writes beside each file, smallest first. */
const encodings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;

/** Paths of other endpoints, which are never answered with the page. */
const taken = /^\/(api|mcp|assets|health)(\/|$)/;

/** Returns a function that serves the dashboard's files. They contain no data, so they need no token. Each file is read at its first request. */
export function createWeb(folder: string, version: string) {
  let names: ReadonlySet<string> | undefined;
  const known = new Map<string, Buffer>();
  const has = (path: string): boolean => {
    names ??= new Set(filesOf(folder));
    return names.has(path);
  };
  const send = (request: Incoming, response: ServerResponse, path: string, caching: string): boolean => {
    const accepted = request.headers['accept-encoding'] ?? '';
    const encoding = encodings.find((one) => accepted.includes(one.name) && has(path + one.suffix));
    const file = path + (encoding?.suffix ?? '');
    const bytes = known.get(file) ?? readFileSync(join(folder, file));
    known.set(file, bytes);
    response.writeHead(200, {
      ...webHeaders,
      'Content-Type': types[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      'Cache-Control': caching,
      'Content-Length': bytes.length,
      'Sekisho-Version': version,
      Vary: 'Accept-Encoding',
      ...(encoding !== undefined && { 'Content-Encoding': encoding.name }),
    });
    response.end(request.method === 'HEAD' ? undefined : bytes);
    return true;
  };
  return (request: Incoming, response: ServerResponse, { pathname }: URL): boolean => {
    if (!['GET', 'HEAD'].includes(request.method)) return false;
    if (pathname.startsWith('/assets/') && has(pathname.slice(1)))
      return send(request, response, pathname.slice(1), 'public, max-age=31536000, immutable');
    // The page routes on the client side: every other path gets index.html.
    const wantsPage = (request.headers.accept ?? '').includes('text/html');
    if (taken.test(pathname) || !wantsPage || !has('index.html')) return false;
    return send(request, response, 'index.html', 'no-cache');
  };
}

function filesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  } catch {
    return []; // The build has no dashboard.
  }
}

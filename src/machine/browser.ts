import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startInBackground } from './background.ts';

const openers: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer' };

/** Opens an address through a file that redirects: arguments of processes are public, and an address can be secret. */
export async function openInBrowser(
  address: string,
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const file = join(folder, 'open.html');
  const target = JSON.stringify(address).replaceAll('<', '\\u003c');
  writeFileSync(file, `<!doctype html><meta charset="utf-8"><script>location.replace(${target})</script>\n`, {
    mode: 0o600,
  });
  const opener = openers[process.platform] ?? 'xdg-open';
  // Without a browser the caller's address is all that there is.
  await startInBackground(opener, [file], { cwd: folder, env }).catch(() => undefined);
}

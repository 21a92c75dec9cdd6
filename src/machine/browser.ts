import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startInBackground } from './background.ts';

const openers: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer' };

/**
 * Shows an address in the person's browser, by a file that leads there: the list of processes is everybody's, and an address
 * can be a secret. What becomes of it cannot be known, so the address should be shown as well.
 */
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
  // A machine without a browser is told the address.
  await startInBackground(opener, [file], { cwd: folder, env }).catch(() => undefined);
}

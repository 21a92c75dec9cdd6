import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Opens the file in the person's editor and waits until it is closed. The command may have arguments (`code --wait`). */
export function openEditor(command: string, file: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child =
      process.platform === 'win32'
        ? spawn(`${command} "${file}"`, { stdio: 'inherit', shell: true })
        : spawn('sh', ['-c', `${command} "$1"`, 'sh', file], { stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0));
  });
}

/** The text as the person left it; undefined where the editor failed. */
export async function editText(command: string, name: string, text: string): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'sekisho-edit-'));
  const file = join(folder, name);
  try {
    await writeFile(file, text, { mode: 0o600 });
    return (await openEditor(command, file)) ? await readFile(file, 'utf8') : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

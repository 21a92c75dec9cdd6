import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { until } from './until.ts';

/** Numbers of system calls, since Perl has no other way to map a file. */
const calls: Partial<Record<string, { readonly mmap: number; readonly read: number }>> = {
  x64: { mmap: 9, read: 0 },
  arm64: { mmap: 222, read: 63 },
};
const call = process.platform === 'linux' ? calls[process.arch] : undefined;

export const canMap = call !== undefined;

export interface Mapping {
  /**
   * Changes the first byte of the file. Its size, times and inode stay as they are, unless the kernel has just written the
   * page to the disk: then this is a write like any other.
   */
  write(byte: string): Promise<void>;
  close(): void;
}

/**
 * A program has this file in memory, shared, with a page that is dirty already: the kernel notes the time of the first write
 * to a page, and then no other until it has written the page to the disk.
 */
export async function mapFile(path: string): Promise<Mapping> {
  const { mmap, read } = call!;
  // Bytes go from stdin straight into the mapping; each is answered with a dot.
  const script = `open(F, '+<', $ARGV[0]) or die; $| = 1;
    my $at = syscall(${mmap}, 0, -s F, 3, 1, fileno(F), 0);
    while (syscall(${read}, 0, $at, 1) == 1) { print '.' }`;
  const child = spawn('perl', ['-e', script, path], { stdio: ['pipe', 'pipe', 'inherit'] });
  const put = async (byte: string) => {
    child.stdin.write(byte);
    await once(child.stdout, 'data');
  };
  await put('0');
  // By then who trusts times trusts those of this file.
  await until('the file is no longer new', () => Date.now() - statSync(path).ctimeMs > 100);
  return { write: put, close: () => child.stdin.end() };
}

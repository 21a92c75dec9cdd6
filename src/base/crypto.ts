import { closeSync, openSync, readSync } from 'node:fs';
import { sha256 as ownSha256 } from './sha256.ts';

let loaded: typeof import('node:crypto') | undefined;

/** Node's own, loaded at the first use: that takes 4 ms, a tenth of what an agent waits for a hook. */
export const crypto = () => (loaded ??= process.getBuiltinModule('node:crypto'));

/** Beyond this Node's own is faster, even where it has to be loaded first. */
const shortText = 4096;

let isHook = false;

/** For the hook's entry alone. It digests a few short texts, and loading Node's crypto for them takes an agent 3 ms longer. */
export function digestWithoutNode(): void {
  isHook = true;
}

/** As hexadecimal digits. */
export function sha256(data: string | Uint8Array): string {
  return isHook && data.length <= shortText ? ownSha256(data) : crypto().hash('sha256', data, 'hex');
}

/** 32 hexadecimal digits that nobody can guess: 122 bits of them at least are random. */
export function randomHex(): string {
  // Random numbers that Node has in stock: each by itself takes it longer than all the digests.
  return (isHook ? fromSystem() : undefined) ?? crypto().randomUUID().replaceAll('-', '');
}

/** Where Node would get them from; undefined where the system has no such file, or anybody could make one. */
function fromSystem(): string | undefined {
  if (process.platform === 'win32') return undefined;
  let file: number | undefined;
  try {
    file = openSync('/dev/urandom', 'r');
    const bytes = Buffer.alloc(16);
    return readSync(file, bytes, 0, bytes.length, null) === bytes.length ? bytes.toString('hex') : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

import { closeSync, openSync, readSync } from 'node:fs';
import { sha256 as ownSha256 } from './sha256.ts';

let loaded: typeof import('node:crypto') | undefined;

/** Node's crypto module, loaded at the first use: loading takes 4 ms, a tenth of what an agent waits for a hook. */
export const crypto = () => (loaded ??= process.getBuiltinModule('node:crypto'));

/** Above this length Node's digest is faster, even if it has to be loaded first. */
const shortText = 4096;

let isHook = false;

/** Switches to our own SHA-256. Only the hook's entry calls it: loading Node's crypto takes 3 ms. */
export function digestWithoutNode(): void {
  isHook = true;
}

/** The SHA-256 digest in hexadecimal digits. */
export function sha256(data: string | Uint8Array): string {
  return isHook && data.length <= shortText ? ownSha256(data) : crypto().hash('sha256', data, 'hex');
}

/** 32 hexadecimal digits that cannot be guessed: at least 122 of the bits are random. */
export function randomHex(): string {
  // `randomUUID` draws from random bytes that Node caches; `randomBytes` takes longer than all the digests.
  return (isHook ? randomFromDevice() : undefined) ?? crypto().randomUUID().replaceAll('-', '');
}

/** Random digits from the system's device. Undefined without one, and on Windows, where anybody could create it. */
function randomFromDevice(): string | undefined {
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

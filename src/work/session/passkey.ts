import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** The cost of scrypt: slow for an attacker, too short for a person to notice. */
const cost = { N: 16_384, r: 8, p: 1 };
const keyBytes = 32;

export function makePasskey(): string {
  return `pk_${randomBytes(24).toString('base64url')}`;
}

export async function hashPasskey(passkey: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(passkey, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Checks a passkey. Takes as long for an agent that does not exist (`stored` undefined) as for a wrong passkey. */
export async function isPasskey(passkey: string, stored: string | undefined): Promise<boolean> {
  const [, n, r, p, salt, key] = (stored ?? unknownAgentHash).split('$');
  const expected = Buffer.from(key ?? '', 'base64url');
  const shown = await derive(passkey, Buffer.from(salt ?? '', 'base64url'), {
    N: Number(n),
    r: Number(r),
    p: Number(p),
  });
  return timingSafeEqual(shown, expected) && stored !== undefined;
}

const unknownAgentHash = `scrypt$${cost.N}$${cost.r}$${cost.p}$${Buffer.alloc(16).toString('base64url')}$${Buffer.alloc(keyBytes).toString('base64url')}`;

function derive(passkey: string, salt: Buffer, options: typeof cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passkey.normalize('NFC'), salt, keyBytes, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256 } from '../../src/base/sha256.ts';

// https://csrc.nist.gov/projects/cryptographic-standards-and-guidelines/example-values
test.each([
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ],
])('is what the standard says of %j', (text, digest) => {
  expect(sha256(text)).toBe(digest);
});

test('is what Node says at every length around the ends of blocks', () => {
  for (let length = 0; length <= 260; length += 1) {
    const bytes = Buffer.alloc(length, length % 256);
    expect(sha256(bytes)).toBe(hash('sha256', bytes, 'hex'));
  }
});

test('is what Node says of any text, whatever it is made of, and of any bytes', () => {
  const text = fc.string({ unit: fc.oneof(fc.string({ unit: 'binary', maxLength: 4 }), fc.constant('\uD800')) });
  fc.assert(fc.property(text, (one) => sha256(one) === hash('sha256', one, 'hex')));
  fc.assert(fc.property(fc.uint8Array({ maxLength: 5000 }), (one) => sha256(one) === hash('sha256', one, 'hex')));
});

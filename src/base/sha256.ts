// SHA-256 by FIPS 180-4, for the few short texts of a hook: see `crypto.ts`.

const constants = Int32Array.from(
  (
    '428a2f98 71374491 b5c0fbcf e9b5dba5 3956c25b 59f111f1 923f82a4 ab1c5ed5 d807aa98 12835b01 243185be 550c7dc3 72be5d74 ' +
    '80deb1fe 9bdc06a7 c19bf174 e49b69c1 efbe4786 0fc19dc6 240ca1cc 2de92c6f 4a7484aa 5cb0a9dc 76f988da 983e5152 a831c66d ' +
    'b00327c8 bf597fc7 c6e00bf3 d5a79147 06ca6351 14292967 27b70a85 2e1b2138 4d2c6dfc 53380d13 650a7354 766a0abb 81c2c92e ' +
    '92722c85 a2bfe8a1 a81a664b c24b8b70 c76c51a3 d192e819 d6990624 f40e3585 106aa070 19a4c116 1e376c08 2748774c 34b0bcb5 ' +
    '391c0cb3 4ed8aa4a 5b9cca4f 682e6ff3 748f82ee 78a5636f 84c87814 8cc70208 90befffa a4506ceb bef9a3f7 c67178f2'
  ).split(' '),
  (one) => Number.parseInt(one, 16),
);
const start = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
const blockBytes = 64;
/** The padding after the text: one bit, and the text's length in bits as 64 bits. */
const tailBytes = 9;

/** The digest in hexadecimal digits. Texts are hashed as UTF-8. */
export function sha256(data: string | Uint8Array): string {
  const length = typeof data === 'string' ? Buffer.byteLength(data) : data.length;
  const padded = Buffer.alloc(Math.ceil((length + tailBytes) / blockBytes) * blockBytes);
  if (typeof data === 'string') padded.write(data);
  else padded.set(data);
  padded[length] = 0x80;
  padded.writeUInt32BE(Math.floor(length / 0x2000_0000), padded.length - 8);
  padded.writeUInt32BE((length << 3) >>> 0, padded.length - 4);
  const state = Int32Array.from(start);
  const words = new Int32Array(blockBytes);
  for (let at = 0; at < padded.length; at += blockBytes) addBlock(state, words, padded, at);
  const digest = Buffer.alloc(32);
  state.forEach((word, index) => digest.writeInt32BE(word, index * 4));
  return digest.toString('hex');
}

function addBlock(state: Int32Array, words: Int32Array, bytes: Buffer, at: number): void {
  for (let i = 0, from = at; i < 16; i += 1, from += 4)
    words[i] = (bytes[from]! << 24) | (bytes[from + 1]! << 16) | (bytes[from + 2]! << 8) | bytes[from + 3]!;
  for (let i = 16; i < 64; i += 1) {
    const near = words[i - 2]!;
    const far = words[i - 15]!;
    const s0 = ((far >>> 7) | (far << 25)) ^ ((far >>> 18) | (far << 14)) ^ (far >>> 3);
    const s1 = ((near >>> 17) | (near << 15)) ^ ((near >>> 19) | (near << 13)) ^ (near >>> 10);
    words[i] = (words[i - 16]! + s0 + words[i - 7]! + s1) | 0;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i += 1) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + constants[i]! + words[i]!) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  const sum = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i += 1) state[i] = state[i]! + sum[i]!;
}

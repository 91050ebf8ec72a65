// SHA-256 (FIPS 180-4), for budget names that contain a string of a client, and for histories in a browser, which has
// only an asynchronous SHA-256.

const PRIMES = primes(64);
const fraction = (root: number): number => Math.floor((root - Math.floor(root)) * 2 ** 32) | 0;
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
const BLOCK = 64;

function primes(count: number): readonly number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++)
    if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
}

/** The hash of a text as 64 hex digits; each UTF-16 code unit is two bytes, the low one first. */
export function sha256(text: string): string {
  const bytes = new Uint8Array(2 * text.length);
  for (let i = 0; i < text.length; i++) {
    bytes[2 * i] = text.charCodeAt(i) & 255;
    bytes[2 * i + 1] = text.charCodeAt(i) >> 8;
  }
  return sha256OfBytes([bytes]);
}

/** The hash of all chunks in order, as 64 hex digits. A chunk may be overwritten when the next one is read. */
export function sha256OfBytes(chunks: Iterable<Uint8Array>): string {
  const state = Int32Array.from(START);
  const words = new Int32Array(64);
  const rest = new Uint8Array(2 * BLOCK); // the end of a chunk, and finally the padding
  let filled = 0;
  let length = 0;
  for (const chunk of chunks) {
    length += chunk.length;
    let from = 0;
    if (filled > 0) {
      from = Math.min(BLOCK - filled, chunk.length);
      rest.set(chunk.subarray(0, from), filled);
      filled += from;
      if (filled < BLOCK) continue;
      compress(state, words, rest, 0);
    }
    for (; from + BLOCK <= chunk.length; from += BLOCK) compress(state, words, chunk, from);
    rest.set(chunk.subarray(from));
    filled = chunk.length - from;
  }
  rest.fill(0, filled);
  rest[filled] = 0x80;
  const end = filled + 9 <= BLOCK ? BLOCK : 2 * BLOCK;
  const view = new DataView(rest.buffer);
  view.setUint32(end - 8, Math.floor((length * 8) / 2 ** 32));
  view.setUint32(end - 4, length * 8);
  for (let block = 0; block < end; block += BLOCK) compress(state, words, rest, block);
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** Adds one block to the state. Each sum is cut to 32 bits: with larger numbers V8 would take twice as long. */
function compress(state: Int32Array, words: Int32Array, bytes: Uint8Array, at: number): void {
  for (let i = 0; i < 16; i++) {
    const byte = at + 4 * i;
    words[i] =
      (bytes[byte]! << 24) | (bytes[byte + 1]! << 16) | (bytes[byte + 2]! << 8) | bytes[byte + 3]!;
  }
  for (let i = 16; i < 64; i++) {
    const low = words[i - 15]!;
    const high = words[i - 2]!;
    const fromLow = ((low >>> 7) | (low << 25)) ^ ((low >>> 18) | (low << 14)) ^ (low >>> 3);
    const fromHigh =
      ((high >>> 17) | (high << 15)) ^ ((high >>> 19) | (high << 13)) ^ (high >>> 10);
    words[i] = (((words[i - 16]! + fromLow) | 0) + ((words[i - 7]! + fromHigh) | 0)) | 0;
  }
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g);
    const turnedE = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const one = (((h + turnedE) | 0) + ((choice + ROUNDS[i]!) | 0) + words[i]!) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const turnedA = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + ((turnedA + majority) | 0)) | 0;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
  state[5]! += f;
  state[6]! += g;
  state[7]! += h;
}

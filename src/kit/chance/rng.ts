// All randomness of a run is derived from one seed. Every consumer has a named stream, so that an additional draw in
// one place changes no draw in another.

export interface Rng {
  /** A number in [0, 1), in steps of 2^-32. */
  readonly next: () => number;
  /** An exponential number with mean 1. */
  readonly exponential: () => number;
  /** A normal number with mean 0 and standard deviation 1. */
  readonly normal: () => number;
  /** An integer in [0, below). */
  readonly int: (below: number) => number;
  /** A separate stream with this name. Its numbers do not depend on how many the parent stream has drawn. */
  readonly split: (name: string) => Rng;
}

const STEPS = 2 ** 32;

export function rng(seed: number, name: string): Rng {
  const draw = sfc32(hashWords(seed, name));
  const next = (): number => draw() / STEPS;
  // (draw + 1) / 2^32 is in (0, 1], so that the logarithm is finite. The ziggurat method takes a third less time, but
  // planning one request takes much longer than its draw.
  const exponential = (): number => -Math.log((draw() + 1) / STEPS);
  return {
    next,
    exponential,
    normal: () => Math.sqrt(2 * exponential()) * Math.cos(2 * Math.PI * next()),
    int: (below) =>
      below <= STEPS ? Math.floor(next() * below) : Math.floor((next() + next() / STEPS) * below),
    split: (inner) => rng(seed, `${name}/${inner}`),
  };
}

/** Chris Doty-Humphrey's small fast counter: 128 bits of state, 32-bit integers as output. */
function sfc32(words: readonly [number, number, number, number]): () => number {
  // A typed array stores 32-bit integers without type checks.
  const state = Int32Array.from(words);
  const draw = (): number => {
    const b = state[1]!;
    const c = state[2]!;
    const counter = state[3]!;
    const out = (((state[0]! + b) | 0) + counter) | 0;
    state[0] = b ^ (b >>> 9);
    state[1] = c + (c << 3);
    state[2] = ((c << 21) | (c >>> 11)) + out;
    state[3] = counter + 1;
    return out >>> 0;
  };
  for (let i = 0; i < 15; i++) draw();
  return draw;
}

/** Four well-mixed words from the seed and a name, by the finaliser of MurmurHash3. */
function hashWords(seed: number, name: string): readonly [number, number, number, number] {
  const text = `${seed}/${name}`;
  let h = 0x9e3779b9 ^ text.length;
  for (let i = 0; i < text.length; i++) {
    h = Math.imul(h ^ text.charCodeAt(i), 0xcc9e2d51);
    h = (h << 13) | (h >>> 19);
  }
  const word = (): number => {
    h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    h = (h ^ (h >>> 16)) + 0x9e3779b9;
    return h | 0;
  };
  return [word(), word(), word(), word()];
}

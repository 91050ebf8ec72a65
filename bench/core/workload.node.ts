// The traffic of every candidate of the core suite: keys in random order, each about once a second, with 100 a minute
// allowed, so that no request is refused and no window is ever idle.
import { rng, type Rng } from "../../src/kit/chance/rng.ts";

export const RATE = 100;
export const PER_SECONDS = 60;

export interface Workload {
  readonly credentials: readonly string[];
  readonly texts: Buffer; // the same, one after the other
  readonly order: Uint32Array; // the numbers of the keys in turn, repeated
  readonly stepUs: number; // between two requests
  readonly decisions: number;
}

export interface Size {
  readonly keys: number;
  readonly decisions: number;
  readonly stepUs?: number; // else one request a second and key
}

/** 32 characters at random each, as keys in the field are. */
function hexTexts(random: Rng, keys: number): Buffer {
  const words = Uint32Array.from({ length: keys * 4 }, () => random.int(2 ** 32));
  return Buffer.from(Buffer.from(words.buffer).toString("hex"), "latin1");
}

const LENGTH = 32;

const textAt = (texts: Buffer, key: number): string =>
  texts.toString("latin1", key * LENGTH, (key + 1) * LENGTH);

/**
 * The credentials of some requests, each a new string in one piece, as from a socket: finding it takes a hash and a
 * comparison with the stored one.
 */
export const arriving = ({ texts, order }: Workload, from: number, to: number): readonly string[] =>
  Array.from({ length: to - from }, (_, i) =>
    textAt(texts, order[(from + i) & (order.length - 1)]!),
  );

const ORDER = 1 << 20;

export function workload({ keys, decisions, stepUs }: Size): Workload {
  const random = rng(1, "bench/order");
  const texts = hexTexts(random.split("credentials"), keys);
  return {
    credentials: Array.from({ length: keys }, (_, key) => textAt(texts, key)),
    texts,
    order: Uint32Array.from({ length: ORDER }, () => random.int(keys)),
    stepUs: stepUs ?? 1_000_000 / keys,
    decisions,
  };
}

/** A limiter under test: it has its own loop, so that no call of the suite is part of its time. */
export interface Subject {
  /** Decides for these requests, the first of which has this number, and returns how many were admitted. */
  readonly run: (requests: readonly string[], first: number) => number | Promise<number>;
  /** Admits a request of every key, in order, so that its memory has all of them. */
  readonly admitEveryKey: () => number | Promise<number>;
}

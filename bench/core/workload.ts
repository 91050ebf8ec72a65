// The traffic that every candidate of the core suite meets: keys in random order, each about once a
// second, 100 a minute allowed, so that nobody is refused and no window is ever idle.
import { rng } from "../../src/core/rng.ts";

export const RATE = 100;
export const PER_SECONDS = 60;

export interface Workload {
  readonly credentials: readonly string[];
  readonly order: Uint32Array; // whose turn it is, again and again
  readonly stepUs: number; // between two requests
  readonly decisions: number;
}

export interface Size {
  readonly keys: number;
  readonly decisions: number;
  readonly stepUs?: number; // else one request a second and key
}

/** As long as a key in the field: 32 characters. */
const credentialOf = (index: number): string => `k${index.toString(36).padStart(31, "0")}`;

const ORDER = 1 << 20;

export function workload({ keys, decisions, stepUs }: Size): Workload {
  const random = rng(1, "bench/order");
  return {
    credentials: Array.from({ length: keys }, (_, index) => flat(credentialOf(index))),
    order: Uint32Array.from({ length: ORDER }, () => random.int(keys)),
    stepUs: stepUs ?? 1_000_000 / keys,
    decisions,
  };
}

/** A text put together from parts is copied into one piece when it is first looked up: here, not in the measurement. */
function flat(text: string): string {
  FLATTENED.add(text);
  FLATTENED.clear();
  return text;
}
const FLATTENED = new Set<string>();

/** A limiter under test: runs its own loop, so that no call of ours stands between it and its figures. */
export interface Subject {
  /** Decides for the requests `from` to `to`, and returns how many were admitted. */
  readonly run: (from: number, to: number) => number | Promise<number>;
  /** Lets every key pass once, in order: a memory that holds everybody. */
  readonly meetEverybody: () => number | Promise<number>;
}

// The traffic that every candidate of the core suite meets: keys in random order, each about once a
// second, 100 a minute allowed, so that nobody is refused and no window is ever idle.
import { rng, type Rng } from "../../src/core/rng.ts";

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

/** 32 characters at random, as keys in the field are. */
function credential(random: Rng): string {
  const part = (): string =>
    random
      .int(2 ** 32)
      .toString(16)
      .padStart(8, "0");
  return part() + part() + part() + part();
}

/** In one piece each, as texts from outside are: one put together from parts is another object wherever it is kept. */
const asRead = (texts: readonly string[]): readonly string[] =>
  texts.map((text) => Buffer.from(text).toString("latin1"));

const ORDER = 1 << 20;

export function workload({ keys, decisions, stepUs }: Size): Workload {
  const random = rng(1, "bench/order");
  const secrets = random.split("credentials");
  return {
    credentials: asRead(Array.from({ length: keys }, () => credential(secrets))),
    order: Uint32Array.from({ length: ORDER }, () => random.int(keys)),
    stepUs: stepUs ?? 1_000_000 / keys,
    decisions,
  };
}

/** A limiter under test: runs its own loop, so that no call of ours stands between it and its figures. */
export interface Subject {
  /** Decides for the requests `from` to `to`, and returns how many were admitted. */
  readonly run: (from: number, to: number) => number | Promise<number>;
  /** Lets every key pass once, in order: a memory that holds everybody. */
  readonly meetEverybody: () => number | Promise<number>;
}

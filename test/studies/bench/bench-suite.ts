import { micros, MILLISECOND, secondsToMicros } from "#src/kit/units.ts";
import type { Factors, Suite, Vary } from "#src/studies/bench/suite.ts";

type Different = Partial<Omit<Suite, "base" | "vary">> & {
  readonly base?: Partial<Factors>;
  readonly vary?: Partial<Vary>;
};

export const suite = ({ base, vary, ...rest }: Different = {}): Suite => ({
  id: "made",
  title: "made for a test",
  about: "nothing",
  base: {
    algorithm: "fixed_window",
    store: "memory",
    demand: 0.5,
    keys: "one",
    connections: 32,
    load_model: "closed",
    ...base,
  },
  vary:
    vary === undefined
      ? {
          ...NONE,
          algorithm: ["gcra", "drl"],
          store: ["redis"],
          demand: [2],
          connections: [1, 128],
        }
      : { ...NONE, ...vary },
  controls: [],
  keyCount: 10_000,
  perUs: micros(100 * MILLISECOND),
  lastsUs: secondsToMicros(1.5),
  warmUpUs: secondsToMicros(1.5),
  repeats: 10,
  starts: 1,
  bounds: [],
  gates: [],
  ...rest,
});

const NONE: Vary = {
  algorithm: [],
  store: [],
  demand: [],
  keys: [],
  connections: [],
  load_model: [],
};

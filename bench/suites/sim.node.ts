// How fast time passes that is not real.
import { inChild } from "../child.node.ts";
import type { Candidate, Case, Suite } from "../harness.ts";
import type { Input } from "../sim/simulate.node.ts";

const KEYS = 1_000;

const measured = async (input: Input): Promise<number> =>
  (await inChild("sim/simulate.node.ts", input))["value"]!;

const ours = (name: string, input: Omit<Input, "subject">): Candidate => ({
  name,
  role: "ours",
  measure: () => measured({ subject: "weir", ...input }),
});

const bare = (subject: "typed loop" | "bare events", requests: number): Candidate => ({
  name: subject,
  role: "control",
  measure: () =>
    measured({ subject, requests, keys: KEYS, withLatency: false, withHistory: false }),
});

/** No latency, no faults: each request is over when it has come. */
function alone(requests: number, repeats: number): Case {
  const plain = { requests, keys: KEYS, withLatency: false };
  return {
    name: "simulated requests of 1,000 keys, two levels of limits",
    unit: "requests/s",
    better: "more",
    control: "typed loop",
    candidates: [
      ours("counted", { ...plain, withHistory: false }),
      ours("with history", { ...plain, withHistory: true }),
      bare("typed loop", requests),
    ],
    targets: [
      { candidate: "counted", value: 4_000_000 },
      { candidate: "with history", value: 1_000_000 },
    ],
    repeats,
    warmUps: 0, // each process warms itself up
  };
}

/** A network, a store behind it that is away for a while: three events a request, and others in between. */
function together(requests: number, repeats: number): Case {
  const slowed = { requests, keys: KEYS, withLatency: true };
  return {
    name: "the same with latency and faults",
    unit: "requests/s",
    better: "more",
    control: "bare events",
    candidates: [
      ours("counted", { ...slowed, withHistory: false }),
      ours("with history", { ...slowed, withHistory: true }),
      bare("bare events", requests),
    ],
    targets: [
      { candidate: "counted", value: 3_000_000 },
      { candidate: "with history", value: 1_000_000 },
    ],
    repeats,
    warmUps: 0,
  };
}

/** Ten times the work should take ten times as long: the rate stays where it is. */
function linear(repeats: number): readonly Case[] {
  const candidate = (at: number, requests: number, keys: number): Candidate => ({
    ...ours(size(at), { requests, keys, withLatency: false, withHistory: false }),
    at,
  });
  const size = (count: number): string => count.toLocaleString("en-GB");
  return [
    {
      name: "over the number of requests, 1,000 keys",
      along: "requests",
      unit: "requests/s",
      better: "more",
      control: size(1e5),
      candidates: [1e4, 1e5, 1e6, 1e7].map((count) => candidate(count, count, 1_000)),
      targets: [{ candidate: size(1e7), against: [size(1e5)], times: 0.5 }],
      repeats,
      warmUps: 0,
    },
    {
      name: "over the number of keys, 1,000,000 requests",
      along: "keys",
      unit: "requests/s",
      better: "more",
      control: size(1e3),
      candidates: [1, 1e2, 1e3, 1e4, 1e5, 1e6].map((keys) => candidate(keys, 1e6, keys)),
      targets: [],
      repeats,
      warmUps: 0,
    },
  ];
}

export const sim: Suite = {
  name: "sim",
  about: "simulated requests a second, end to end, beside a bare loop and a bare queue of events",
  cases: (scale) =>
    scale === "quick"
      ? [alone(1_000_000, 2), together(500_000, 2)]
      : [alone(4_000_000, 5), together(2_000_000, 5), ...linear(3)],
};

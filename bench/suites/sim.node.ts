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

const bare = (requests: number, keys: number): Candidate => ({
  name: "typed loop",
  role: "control",
  measure: () =>
    measured({ subject: "typed loop", requests, keys, withLatency: false, withHistory: false }),
});

function endToEnd(requests: number, repeats: number): Case {
  const plain = { requests, keys: KEYS, withLatency: false, withHistory: false };
  return {
    name: "simulated requests of 1,000 keys, two levels of limits",
    unit: "requests/s",
    better: "more",
    control: "typed loop",
    candidates: [
      ours("counted", plain),
      ours("with history", { ...plain, withHistory: true }),
      ours("with latency and faults", { ...plain, requests: requests / 4, withLatency: true }),
      ours("with latency, faults and history", {
        ...plain,
        requests: requests / 4,
        withLatency: true,
        withHistory: true,
      }),
      bare(requests, KEYS),
    ],
    targets: [
      { candidate: "counted", value: 3_000_000 },
      { candidate: "with history", value: 1_000_000 },
    ],
    repeats,
    warmUps: 0, // each process warms itself up
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
  about: "simulated requests a second, end to end, beside a bare typed loop",
  cases: (scale) =>
    scale === "quick" ? [endToEnd(1_000_000, 2)] : [endToEnd(4_000_000, 5), ...linear(3)],
};

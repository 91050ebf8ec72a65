// What a decision costs, and what a key costs. The process of each measurement warms itself up, so no
// round is thrown away here.
import { ALGORITHMS } from "../../src/core/algorithms.ts";
import { inChild } from "../child.node.ts";
import type { Input } from "../core/decide.node.ts";
import type { Candidate, Case, Scale, Suite } from "../harness.ts";

const PEERS = ["@fastify/rate-limit", "express-rate-limit", "rate-limiter-flexible"] as const;
const CONTROLS = [
  "bare Map",
  "bare Map and Date.now()",
  "bare slots",
  "bare slots and Date.now()",
  ...PEERS,
] as const;
const OURS = ["weir", "weir, its clock read", "weir, the whole gateway"] as const;

const measured = async (input: Input): Promise<number> =>
  (await inChild("core/decide.node.ts", input, input.measure === "bytes" ? ["--expose-gc"] : []))[
    "value"
  ]!;

const candidate = (
  role: Candidate["role"],
  input: Input,
  name: string = input.subject,
): Candidate => ({
  name,
  role,
  measure: () => measured(input),
});

const timed = (keys: number, decisions: number): readonly Candidate[] => {
  const input = { keys, decisions, measure: "time" } as const;
  return [
    ...OURS.map((subject) => candidate("ours", { ...input, subject })),
    ...CONTROLS.map((subject) => candidate("control", { ...input, subject })),
  ];
};

const decision = (
  keys: number,
  decisions: number,
  repeats: number,
  targets: Case["targets"],
): Case => ({
  name: `one decision at ${keys.toLocaleString("en-GB")} keys`,
  unit: "ns",
  better: "less",
  control: "bare Map",
  candidates: timed(keys, decisions),
  targets,
  repeats,
  warmUps: 0,
});

const few = (decisions: number, repeats: number): Case =>
  decision(10_000, decisions, repeats, [
    { candidate: "weir", against: ["rate-limiter-flexible"], times: 5 },
    { candidate: "weir", against: ["@fastify/rate-limit"], times: 1 },
  ]);

const many = (decisions: number, repeats: number): Case =>
  decision(1_000_000, decisions, repeats, [{ candidate: "weir", against: PEERS, times: 3 }]);

function bytes(keys: number, repeats: number): Case {
  const input = { keys, decisions: 1, measure: "bytes" } as const;
  return {
    name: `memory of a key, at ${keys.toLocaleString("en-GB")} keys`,
    unit: "bytes",
    better: "less",
    control: "bare Map",
    candidates: [
      candidate("ours", { ...input, subject: "weir", sessionsKnown: true }, "weir, its budget"),
      candidate("ours", { ...input, subject: "weir" }, "weir, its budget and session"),
      candidate("control", { ...input, subject: "bare Map" }),
      ...PEERS.map((subject) => candidate("control", { ...input, subject })),
    ],
    targets: [{ candidate: "weir, its budget", value: 100 }],
    repeats,
    warmUps: 0,
  };
}

function algorithms(decisions: number, repeats: number): Case {
  const input = { subject: "weir", keys: 10_000, decisions, measure: "time" } as const;
  return {
    name: "one decision at 10,000 keys, by algorithm",
    unit: "ns",
    better: "less",
    control: "fixed_window",
    candidates: ALGORITHMS.map((algorithm) =>
      candidate("ours", { ...input, algorithm }, algorithm),
    ),
    targets: [{ candidate: "sliding_log", against: ["fixed_window"], times: 0.5 }],
    repeats,
    warmUps: 0,
  };
}

/** One key that calls 150 times a second and is allowed 10,000 a minute: a log of 9,000 attempts. */
function hotKey(decisions: number, repeats: number): Case {
  const input = {
    subject: "weir",
    keys: 1,
    decisions,
    rate: 10_000,
    stepUs: 6_667,
    measure: "time",
  } as const;
  const kinds = ["fixed_window", "sliding_log", "bounded_log"] as const;
  return {
    name: "one decision on one hot key",
    unit: "ns",
    better: "less",
    control: "fixed_window",
    candidates: kinds.map((algorithm) => candidate("ours", { ...input, algorithm }, algorithm)),
    targets: [{ candidate: "sliding_log", against: ["fixed_window"], times: 0.5 }],
    repeats,
    warmUps: 0,
  };
}

export const core: Suite = {
  name: "core",
  about: "nanoseconds a decision and bytes a key, beside what others need",
  cases: (scale: Scale) =>
    scale === "quick"
      ? [few(1_000_000, 3), hotKey(1_000_000, 2)]
      : [
          few(2_000_000, 7),
          many(3_000_000, 5),
          bytes(1_000_000, 3),
          algorithms(1_000_000, 5),
          hotKey(1_000_000, 5),
        ],
};

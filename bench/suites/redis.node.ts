// Decisions over a real Redis: what is asked in one turn goes out together, beside one call for each.
import { inChild } from "../child.node.ts";
import type { Candidate, Case, Suite } from "../harness.ts";
import type { Input } from "../redis/ask.node.ts";

type Figure = "value" | "p99Ms" | "busierUs" | "bytes";

const NEVER_REACHED = 1_000_000_000;

function candidate(
  subject: Input["subject"],
  role: Candidate["role"],
  figure: Figure,
  input: Omit<Input, "subject">,
): Candidate {
  const measure = async (): Promise<number> =>
    (await inChild("redis/ask.node.ts", { subject, ...input } satisfies Input))[figure]!;
  return { name: subject, role, measure };
}

interface Load {
  readonly inFlight: number;
  readonly keys: number;
  readonly seconds: number;
  readonly repeats: number;
}

/** `times`: how much better than rate-limiter-flexible a fixed window is meant to be. */
function counted({ inFlight, keys, seconds, repeats }: Load, figure: Figure, times: number): Case {
  const input = { inFlight, keys, seconds, rate: NEVER_REACHED };
  const [what, unit] = {
    value: ["decisions a second", "/s"] as const,
    busierUs: ["processor time of the busier side", "us"] as const,
    p99Ms: ["the slowest hundredth", "ms"] as const,
    bytes: ["bytes", "B"] as const,
  }[figure];
  const against = figure === "p99Ms" ? "one EVALSHA a decision" : "rate-limiter-flexible";
  return {
    name: `fixed window, ${what}: ${inFlight} in flight, ${keys} keys`,
    unit,
    better: figure === "value" ? "more" : "less",
    control: "one EVALSHA a decision",
    candidates: [
      candidate("fixed_window", "ours", figure, input),
      candidate("rate-limiter-flexible", "control", figure, input),
      candidate("one EVALSHA a decision", "control", figure, input),
    ],
    targets: [{ candidate: "fixed_window", against: [against], times }],
    repeats,
    warmUps: 0,
  };
}

function logs({ inFlight, keys, seconds, repeats }: Load, figure: Figure, times: number): Case {
  const input = { inFlight, keys, seconds, rate: 100 };
  return {
    name: `logs of 100 a minute, ${figure === "bytes" ? "bytes an attempt" : `decisions a second: ${inFlight} in flight, ${keys} keys`}`,
    unit: figure === "bytes" ? "B" : "/s",
    better: figure === "bytes" ? "less" : "more",
    control: "sliding_log",
    candidates: [
      candidate("bounded_log", "ours", figure, input),
      candidate("sliding_log", "ours", figure, input),
    ],
    targets: [{ candidate: "bounded_log", against: ["sliding_log"], times }],
    repeats,
    warmUps: 0,
  };
}

export const redis: Suite = {
  name: "redis",
  about: "decisions over a Redis that the suite starts, beside one call for each decision",
  cases: (scale) => {
    const [seconds, repeats] = scale === "quick" ? [0.5, 1] : [2, 5];
    const many = (inFlight: number): Load => ({ inFlight, keys: 1_000, seconds, repeats });
    return [
      counted(many(50), "value", 3),
      counted(many(500), "value", 10),
      counted({ ...many(500), keys: 10 }, "value", 10),
      counted(many(50), "busierUs", 3),
      counted(many(500), "busierUs", 10),
      counted(many(50), "p99Ms", 1),
      logs(many(50), "value", 2),
      logs(many(500), "value", 2),
      logs({ ...many(50), keys: 20 }, "bytes", 8),
    ];
  },
};

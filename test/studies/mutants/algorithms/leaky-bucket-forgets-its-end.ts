import { QUEUE_WIDTH } from "#src/limiter/algorithms/leaky-bucket/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { UntilPaid } from "../private.ts";

export const mutant: Mutant<UntilPaid> = {
  about:
    "a leaky bucket lets requests wait for a debt beyond the time at which its queue has ended",
  breaks: ["ALG-C10"],
  replaces: "limiter/algorithms/leaky-bucket/rule.ts#untilPaid",
  by: (_right, cells, row, rate, nowUs, excess) =>
    excess <= 0
      ? 0
      : Math.max(nowUs, cells[row * QUEUE_WIDTH + 1]!) + Math.ceil(excess / rate) - nowUs,
};

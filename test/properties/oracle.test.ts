import * as fc from "fast-check";
import { createHash } from "node:crypto";
import { describe, test } from "vitest";
import { formatScenario, EXPECTED, NAME } from "../../src/experiments/swarm/as-scenario.ts";
import { KINDS } from "../../src/experiments/swarm/kinds.ts";
import { tryScenario } from "../../src/experiments/swarm/trial.ts";
import { holds } from "../runs.ts";

const frame = { id: NAME, title: "found", about: null, proves: ["LIM-1"], expect: EXPECTED };

const digest = (chunks: Iterable<string>): string => {
  const hash = createHash("sha256");
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest("hex");
};

/** Few, because `weir run --swarm` tries more of the same worlds, in .ci/run and at night. */
const RUNS = 30;

describe("on random worlds the oracle allows what is decided, and no invariant breaks", () => {
  test.each(KINDS)("$name", ({ worlds }) => {
    holds(
      fc.property(worlds, (raw) => {
        const { failure } = tryScenario(raw, frame, 1, digest);
        if (failure !== null)
          throw new Error(`${failure.what}: ${failure.observed}\n\n${formatScenario(raw, frame)}`);
      }),
      RUNS,
    );
  });
});

// `weir worst` has no smoothing: after a rise to the rate, its traffic gets as much out of a smoothed limit as out of the
// plain one.
import { expect, test } from "vitest";
import { micros } from "#src/kit/units.ts";
import { runScenario } from "#src/library/weir.node.ts";
import { findWorst } from "./questions.ts";

/** The last of three rises is at 30 s, and nothing falls before 40 s. */
const SMOOTHING = "smoothing: { enabled: true, threshold: 2, step: 1, trigger: 0.5, delay: 10 }";
const RAMP = "  - { name: ramp, as: alice, send: GET /orders, rate: 5, for: 31s }";
const SHIFT_S = 35;

test.each(["sliding_log", "bounded_log", "sentinel"] as const)(
  "%s smoothed admits the worst case of the plain limit within a hold-off of the last rise",
  async (algorithm) => {
    const { result, text } = await findWorst({ algorithm, storeUs: micros(5_000), inFlight: 10 });
    const bursts = result.pattern.map(
      ({ atUs, count }, index) =>
        `  - { name: burst ${index}, as: alice, send: GET /orders, burst: ${count}, at: ${SHIFT_S + atUs / 1e6}s }`,
    );
    const world = text
      .slice(text.indexOf("world:"), text.indexOf("traffic:"))
      .replace(/(alice: \{.*?) \}/, `$1, ${SMOOTHING} }`);
    const expected = [
      `  - { id: most, maxInAnyWindow: { window: 1s }, equals: ${result.most} }`,
      "  - { id: rises, events: { event: RateLimitSmoothingUp }, equals: 3 }",
    ];
    const lines = [
      "title: a",
      world.trimEnd(),
      "traffic:",
      RAMP,
      ...bursts,
      "expect:",
      ...expected,
    ];
    const { variants } = await runScenario({ file: "a.yaml", text: `${lines.join("\n")}\n` });
    const verdicts = variants.flatMap((each) => each.result.verdicts);
    expect(verdicts.map(({ observed }) => Number.parseInt(observed, 10))).toEqual([result.most, 3]);
  },
);

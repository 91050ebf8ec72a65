// Pairs of fresh gateways, each the base of the suite `gateway`, for the scripts of this folder.
import { MEASURED_ROUNDS, secondsOfPairs } from "../../src/studies/bench/against/design.ts";
import type { PairRepeat } from "../../src/studies/bench/against/result.ts";
import { runPairs, type PairsRun } from "../../src/studies/bench/against/run-pairs.node.ts";
import { createEnding } from "../../src/studies/bench/ending.node.ts";
import { timeText } from "../../src/studies/bench/progress-line.ts";
import { noPin } from "../../src/studies/bench/pin.node.ts";
import { readSuite } from "../../src/studies/bench/read-suite.ts";
import { subjectsOf, type BenchSubject } from "../../src/studies/bench/subjects.ts";
import type { Control, Suite } from "../../src/studies/bench/suite.ts";
import { suiteFile } from "../../src/studies/bench/suites.node.ts";
import { WEIR } from "../../src/cli/bench-ready.node.ts";
import { EXIT } from "../../src/cli/exit.ts";
import { requireValue } from "../../src/kit/reading/failure.ts";
import { readText } from "../../src/kit/reading/text-file.node.ts";

export function gatewaySuite(): Suite {
  const file = requireValue(suiteFile("gateway"));
  return requireValue(readSuite(file, requireValue(readText(file))));
}

/** Makes one side another gateway than that of this checkout. */
export type Other = Pick<BenchSubject, "preload" | "weir">;

export interface PairsOrder {
  readonly suite: Suite;
  readonly base: Other;
  readonly head: Other;
  readonly controls: readonly Control[];
  readonly pairs: number;
  readonly batch: number;
  readonly seed: number;
  readonly capacity: number | null;
  readonly onRepeat: (repeat: PairRepeat) => void;
}

const over = createEnding();
process.once("SIGINT", () => over.end({ how: "interrupted", why: "it was interrupted" }));

/** Ctrl-C saves the measurements; a process that ends ends the script. */
export async function measurePairs(order: PairsOrder): Promise<PairsRun> {
  const { suite, base, head, pairs, batch, seed, capacity, onRepeat } = order;
  const { base: factors } = suite;
  const subject: BenchSubject = {
    name: "base",
    role: "cell",
    loadFactors: factors,
    factors,
    control: null,
  };
  const controls = subjectsOf(suite, [], order.controls);
  const seconds = secondsOfPairs(suite, { cells: 1, controls: controls.length, pairs });
  console.error(`${pairs} pairs, about ${timeText(seconds)}`);
  const ran = await runPairs(
    {
      suite,
      seed,
      pin: noPin,
      weir: WEIR,
      capacity,
      ending: over,
      cells: [{ base: { ...subject, ...base }, head: { ...subject, ...head } }],
      controls,
      pairs,
      rounds: MEASURED_ROUNDS,
      batch,
      onPhase: (phase) => console.error(phase),
      onProgress: () => {},
      onSample: () => {},
      onMissing: ({ name }, why) => console.error(`${name} is missing: ${why}`),
      onMeasured: onRepeat,
      isEnough: (_, done) => {
        console.error(`${done} of ${pairs} pairs`);
        return false;
      },
    },
    (all) => all,
  );
  if (ran.stopped?.how === "gone") {
    console.error(ran.stopped.why);
    process.exit(EXIT.unreachable);
  }
  return ran;
}

/** An integer of at least 1, or the script ends. */
export function countOf(name: string, typed: string): number {
  if (/^[1-9]\d*$/.test(typed)) return Number(typed);
  console.error(`--${name} must be an integer from 1 on, not "${typed}"`);
  process.exit(EXIT.usage);
}

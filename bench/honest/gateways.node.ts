// Gateways that are the base of the suite `gateway`, taking turns with each other and with controls.
import { ending } from "../../src/bench/ending.node.ts";
import { noPin } from "../../src/bench/pin.node.ts";
import { readSuite } from "../../src/bench/read-suite.ts";
import { machine, machineAfter } from "../../src/bench/resources/machine.node.ts";
import type { Circumstances, Repeated } from "../../src/bench/result-of.ts";
import { runSuite } from "../../src/bench/run-suite.node.ts";
import type { Subject } from "../../src/bench/subjects.ts";
import type { Suite } from "../../src/bench/suite.ts";
import { suiteFile } from "../../src/bench/suites.node.ts";
import { EXIT } from "../../src/cli/exit.ts";
import { readText } from "../../src/cli/text-file.node.ts";

export function gatewaySuite(): Suite {
  const found = suiteFile("gateway");
  if ("fault" in found) throw new Error(found.fault);
  const text = readText(found.file);
  if ("fault" in text) throw new Error(text.fault);
  const read = readSuite(found.file, text.text);
  if ("faults" in read) throw new Error(read.faults.join("\n"));
  return read.suite;
}

export const gatewayOf = ({ base }: Suite, name: string, preload?: string): Subject => ({
  name,
  role: "cell",
  asked: base,
  factors: base,
  control: null,
  ...(preload === undefined ? {} : { preload }),
});

export interface Turn {
  readonly suite: Suite;
  readonly subjects: readonly Subject[];
  readonly repeats: number;
  readonly seed: number;
  readonly capacity: number | null;
}

export interface Played {
  readonly measured: readonly Repeated[];
  /** Of a result that is made of it. */
  readonly circumstances: Omit<Circumstances, "suite" | "gates">;
}

const over = ending();
process.once("SIGINT", () => over.end({ how: "interrupted", why: "it was interrupted" }));

/** Nothing is kept of a turn that did not come to its end. */
export async function play({ suite, subjects, repeats, seed, capacity }: Turn): Promise<Played> {
  const before = machine();
  const startedAt = new Date().toISOString();
  const startedMs = performance.now();
  let done = 0;
  const ran = await runSuite(
    {
      suite: { ...suite, repeats },
      subjects,
      seed,
      pin: noPin,
      capacity,
      target: null,
      ending: over,
      onPhase: (phase) => console.error(phase),
      onProgress: () => {},
      onSample: () => {},
      onMissing: ({ name }, why) => console.error(`${name} is missing: ${why}`),
      onMeasured: () => {
        done++;
        if (done % subjects.length === 0)
          console.error(`${done} of ${subjects.length * repeats} repeats`);
      },
    },
    (all) => all,
  );
  if (ran.stopped !== null) {
    console.error(ran.stopped.why);
    process.exit(ran.stopped.how === "interrupted" ? EXIT.interrupted : EXIT.unreachable);
  }
  return {
    measured: ran.measured,
    circumstances: {
      startedAt,
      tookSeconds: Math.round((performance.now() - startedMs) / 1_000),
      argv: process.argv.slice(2),
      seed,
      machine: { ...machineAfter(before, ran.busy, {}), versions: {} },
      target: null,
      capacity: ran.capacity,
      stopped: null,
      warnings: [],
      samples: null,
    },
  };
}

// npm run bench:pool [-- -o FILE]: pairs of equal gateways, in batches of new processes, with three controls. Runs that must
// find nothing are drawn from its measurements (test/studies/bench/against/power-in-full.test.ts). Record two pools hours apart, on a
// machine without other load.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { decideGates } from "../../src/studies/bench/against/gate-verdicts.ts";
import { MEASURED_ROUNDS } from "../../src/studies/bench/against/design.ts";
import {
  packages,
  checkout,
  machine,
  machineAfter,
} from "../../src/studies/bench/resources/machine.node.ts";
import type { Gate, BenchMetricName } from "../../src/studies/bench/suite.ts";
import { countOf, gatewaySuite, measurePairs } from "./measure.node.ts";

const { values } = parseArgs({
  options: {
    pairs: { type: "string", default: "40" },
    batch: { type: "string", default: "5" },
    seed: { type: "string", default: "1" },
    lasts: { type: "string" }, // milliseconds of a repeat, to try it
    out: { type: "string", short: "o", default: "test/studies/bench/pool/pairs.json" },
  },
});
const whole = gatewaySuite();
const lastsUs =
  values.lasts === undefined
    ? whole.lastsUs
    : ((countOf("lasts", values.lasts) * 1_000) as typeof whole.lastsUs);
const suite = { ...whole, lastsUs };
const seed = countOf("seed", values.seed);
const before = machine();
const startedAt = new Date().toISOString();
const startedMs = performance.now();
const ran = await measurePairs({
  suite,
  base: {},
  head: {},
  controls: ["upstream", "bare-proxy", "fastify"],
  pairs: countOf("pairs", values.pairs),
  batch: countOf("batch", values.batch),
  seed,
  capacity: null,
  onRepeat: () => {},
});

/** The metrics that comparisons use; the others would only make the file long. */
const SAVED_METRICS: readonly BenchMetricName[] = ["cpu", "throughput", "p99", "cpu_load"];
const roundDigits = (value: number): number => Number(value.toPrecision(6));
const repeats = ran.repeats.map((repeat) => ({
  ...repeat,
  atSeconds: roundDigits(repeat.atSeconds),
  lastedSeconds: roundDigits(repeat.lastedSeconds),
  gatewayCpuUs: repeat.gatewayCpuUs === null ? null : Math.round(repeat.gatewayCpuUs),
  loadCpuUs: repeat.loadCpuUs === null ? null : Math.round(repeat.loadCpuUs),
  metrics: Object.fromEntries(
    SAVED_METRICS.flatMap((metric) => {
      const value = repeat.metrics[metric];
      return value === undefined ? [] : [[metric, roundDigits(value)]];
    }),
  ),
}));
const pool = {
  format: "weir-pool/1",
  startedAt,
  tookSeconds: Math.round((performance.now() - startedMs) / 1_000),
  argv: process.argv.slice(2),
  seed,
  machine: { ...machineAfter(before, ran.busy.first, {}), versions: {} },
  version: { ...checkout(), weir: packages()["weir"] },
  capacity: ran.capacity,
  rounds: MEASURED_ROUNDS,
  pairs: ran.pairs,
  stopped: ran.stopped?.why ?? null,
  repeats,
};
writeFileSync(values.out, `${JSON.stringify(pool)}\n`);
const gates: readonly Gate<BenchMetricName>[] = [
  { cell: "base", metric: "cpu" },
  { cell: "base", metric: "throughput" },
];
const design = {
  pairs: ran.pairs,
  rounds: MEASURED_ROUNDS,
  minEffect: 0.03,
  alpha: 0.05,
  until: null,
};
for (const { metric, word, evidence } of decideGates(ran.repeats, gates, design, seed))
  console.log(
    evidence === null
      ? `${metric}: not measured`
      : `${metric}: ${evidence.pairs} pairs, base and head are ${word}; ${(100 * evidence.least).toFixed(1)} % would have been found`,
  );
console.log(ran.busy.first ?? "the machine was quiet enough");
console.log(`saved: ${values.out}`);

// npm run bench:pool [-- -o FILE]: one load on many gateways that are all the same, taking turns. What they measured is
// what comparisons are drawn from that must find nothing (test/bench/compare/pool.test.ts).
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { ending } from "../../src/bench/ending.node.ts";
import { noPin } from "../../src/bench/pin.node.ts";
import { readSuite } from "../../src/bench/read-suite.ts";
import { machine, machineAfter } from "../../src/bench/resources/machine.node.ts";
import { resultOf } from "../../src/bench/result-of.ts";
import { runSuite, type Orders } from "../../src/bench/run-suite.node.ts";
import { spreadOf } from "../../src/bench/statistics.ts";
import type { Subject } from "../../src/bench/subjects.ts";
import { suiteFile } from "../../src/bench/suites.node.ts";
import { readText } from "../../src/cli/text-file.node.ts";
import { alarmsBetween } from "./alarms.ts";

const { values } = parseArgs({
  options: {
    gateways: { type: "string", default: "20" },
    repeats: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    out: { type: "string", short: "o", default: "test/bench/pool/quiet.json" },
  },
});

const found = suiteFile("gateway");
if ("fault" in found) throw new Error(found.fault);
const text = readText(found.file);
if ("fault" in text) throw new Error(text.fault);
const read = readSuite(found.file, text.text);
if ("faults" in read) throw new Error(read.faults.join("\n"));
const suite = { ...read.suite, repeats: Number(values.repeats) };

const subjects = Array.from({ length: Number(values.gateways) }, (_, at): Subject => ({
  name: `base ${at + 1}`,
  role: "cell",
  asked: suite.base,
  factors: suite.base,
  control: null,
}));

const over = ending();
process.once("SIGINT", () => over.end({ how: "interrupted", why: "it was interrupted" }));
const before = machine();
const startedAt = new Date().toISOString();
const startedMs = performance.now();
let done = 0;
const orders: Orders = {
  suite,
  subjects,
  seed: Number(values.seed),
  pin: noPin,
  capacity: null,
  target: null,
  ending: over,
  onPhase: (phase) => console.error(phase),
  onProgress: () => {},
  onSample: () => {},
  onMissing: ({ name }, why) => console.error(`${name} is missing: ${why}`),
  onMeasured: () => {
    done++;
    if (done % subjects.length === 0)
      console.error(`${done} of ${subjects.length * suite.repeats} repeats`);
  },
};
const ran = await runSuite(orders, (all) => all);
if (ran.stopped !== null) {
  console.error(ran.stopped.why);
  process.exit(130);
}

/** What comparisons are made of; the rest of a result would only make the file long. */
const GATES = ["cpu", "throughput"] as const;
const measured = ran.measured.map(({ subject, repeat }) => ({
  subject,
  repeat: {
    ...repeat,
    atSeconds: Number(repeat.atSeconds.toFixed(1)),
    metrics: Object.fromEntries(
      GATES.flatMap((metric) => {
        const value = repeat.metrics[metric];
        return value === undefined ? [] : [[metric, Number(value.toPrecision(6))]];
      }),
    ),
  },
}));
const pool = resultOf(subjects, measured, {
  suite: { id: "pool", title: "one load on gateways that are all the same", hash: "pool" },
  startedAt,
  tookSeconds: Math.round((performance.now() - startedMs) / 1_000),
  argv: ["--gateways", values.gateways, "--repeats", values.repeats],
  seed: Number(values.seed),
  machine: { ...machineAfter(before, ran.busy, {}), versions: {} },
  target: null,
  capacity: ran.capacity,
  gates: [],
  stopped: null,
  warnings: [],
  samples: null,
});
writeFileSync(values.out, `${JSON.stringify(pool)}\n`);
for (const metric of GATES) {
  const all = measured.flatMap(({ repeat }) => repeat.metrics[metric] ?? []);
  const { median, mad } = spreadOf(all);
  console.log(
    `${metric}: ${all.length} repeats, median ${median.toPrecision(4)}, MAD ${((mad / median) * 100).toFixed(1)} %`,
  );
}
const { alarms, pairs } = alarmsBetween(pool);
console.log(`${alarms} of ${pairs} pairs of these gateways would be told apart`);
console.log(ran.busy ?? "the machine was quiet enough");

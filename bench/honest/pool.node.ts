// npm run bench:pool [-- -o FILE]: one load on many gateways that are all the same, taking turns. What they measured is
// what comparisons are drawn from that must find nothing (test/bench/compare/pool.test.ts).
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { resultOf } from "../../src/bench/result-of.ts";
import { spreadOf } from "../../src/bench/statistics.ts";
import { alarmsBetween } from "./alarms.ts";
import { gatewayOf, gatewaySuite, play } from "./gateways.node.ts";

const { values } = parseArgs({
  options: {
    gateways: { type: "string", default: "20" },
    repeats: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    out: { type: "string", short: "o", default: "test/bench/pool/quiet.json" },
  },
});

const suite = gatewaySuite();
const subjects = Array.from({ length: Number(values.gateways) }, (_, at) =>
  gatewayOf(suite, `base ${at + 1}`),
);
const { measured, circumstances } = await play({
  suite,
  subjects,
  repeats: Number(values.repeats),
  seed: Number(values.seed),
  capacity: null,
});

/** What comparisons are made of; the rest of a result would only make the file long. */
const GATES = ["cpu", "throughput"] as const;
const short = measured.map(({ subject, repeat }) => ({
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
const pool = resultOf(subjects, short, {
  ...circumstances,
  suite: { id: "pool", title: "one load on gateways that are all the same", hash: "pool" },
  gates: [],
});
writeFileSync(values.out, `${JSON.stringify(pool)}\n`);
for (const metric of GATES) {
  const all = short.flatMap(({ repeat }) => repeat.metrics[metric] ?? []);
  const { median, mad } = spreadOf(all);
  console.log(
    `${metric}: ${all.length} repeats, median ${median.toPrecision(4)}, MAD ${((mad / median) * 100).toFixed(1)} %`,
  );
}
const { alarms, pairs } = alarmsBetween(pool);
console.log(`${alarms} of ${pairs} pairs of these gateways would be told apart`);
console.log(circumstances.machine.busy ?? "the machine was quiet enough");

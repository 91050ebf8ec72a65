// npm run bench:honest: checks the verdicts of weir bench --against on this machine. In some runs the gateways are equal, in
// others head really spends more on each request: almost none of the first may raise an alarm, almost all of the others must.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { DEFAULT_PAIRS, MEASURED_ROUNDS } from "../../src/studies/bench/against/design.ts";
import { decideGates } from "../../src/studies/bench/against/gate-verdicts.ts";
import type { CompareWord } from "../../src/studies/bench/compare/comparison.ts";
import { summarise } from "../../src/kit/stats/summary.ts";
import { EXIT } from "../../src/cli/exit.ts";
import { countOf, gatewaySuite, measurePairs, type Other } from "./measure.node.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "40" }, // of each kind
    pairs: { type: "string", default: String(DEFAULT_PAIRS) },
    slower: { type: "string", default: "10" }, // per cent
    seed: { type: "string", default: "1" },
  },
});
const suite = gatewaySuite();
const [runs, pairs, slower] = [
  countOf("runs", values.runs),
  countOf("pairs", values.pairs),
  countOf("slower", values.slower),
];
const gate = { cell: "base", metric: "cpu" } as const;
const design = { pairs, rounds: MEASURED_ROUNDS, minEffect: 0.03, alpha: 0.05, until: null };
let seed = countOf("seed", values.seed);

const measure = (head: Other, capacity: number | null, count = pairs) =>
  measurePairs({
    suite,
    base: {},
    head,
    controls: [],
    pairs: count,
    batch: 1,
    seed: seed++,
    capacity,
    onRepeat: () => {},
  });

// The first run measures the capacity and the cost of a request; it is not compared.
const look = await measure({}, null, 3);
const costs = look.repeats.flatMap(({ isWarmUp, metrics }) =>
  isWarmUp ? [] : (metrics["cpu"] ?? []),
);
const slowerUs = summarise(costs).median * (slower / 100);
const preload = pathToFileURL(join(import.meta.dirname, "slower.node.ts"));
preload.searchParams.set("us", String(slowerUs));
console.error(`${slowerUs.toFixed(1)} us more are spent on each request of a slower head`);

const words: Record<"same" | "slower", CompareWord[]> = { same: [], slower: [] };
for (let run = 0; run < runs; run++)
  for (const [kind, head] of [
    ["same", {}],
    ["slower", { preload: preload.href }],
  ] as const) {
    const ran = await measure(head, look.capacity);
    if (ran.stopped !== null) process.exit(EXIT.interrupted);
    const [{ word, evidence }] = decideGates(ran.repeats, [gate], design, seed) as [
      ReturnType<typeof decideGates>[number],
    ];
    words[kind].push(word);
    const { ratio, least } = evidence!;
    console.log(
      `${run + 1} of ${runs}, ${kind}: ${word}, ${(100 * (ratio - 1)).toFixed(1)} %, finds ${(100 * least).toFixed(1)} %; ${ran.busy.first ?? "quiet"}`,
    );
  }
const alarms = words.same.filter((word) => word === "regressed" || word === "improved").length;
const found = words.slower.filter((word) => word === "regressed").length;
console.log(`${alarms} of ${runs} runs of equal gateways raised an alarm`);
console.log(`${found} of ${runs} runs of a head that is ${slower} % slower were found`);
process.exitCode = alarms / runs <= 0.1 && found / runs >= 0.9 ? EXIT.passed : EXIT.failed;

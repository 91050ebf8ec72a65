// npm run bench:starts [-- --starts 10]: the cost of V8's pretenuring is decided anew at each start of a gateway. Measures
// starts of this gateway, and of the same one with pretenuring, each with the bare proxy that was started with it.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { versionAt } from "../../src/bench/against/version.node.ts";
import type { PairRepeat } from "../../src/bench/against/result.ts";
import { isFailure } from "../../src/reading/failure.ts";
import { summarise } from "../../src/stats/summary.ts";
import { EXIT } from "../../src/cli/exit.ts";
import { countOf, gatewaySuite, measurePairs, type Other } from "./measure.node.ts";

const { values } = parseArgs({
  options: {
    starts: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    against: { type: "string" }, // another checkout, in place of this one with pretenuring
  },
});

function stock(): Other {
  const { against } = values;
  if (against === undefined)
    return { preload: pathToFileURL(join(import.meta.dirname, "pretenuring.node.ts")).href };
  const version = versionAt(against, (root) => console.error(`building ${root}`));
  if (!isFailure(version)) return { weir: version.command };
  console.error(version.message);
  process.exit(EXIT.usage);
}

const row = (cells: readonly string[]): string => cells.map((cell) => cell.padStart(13)).join("");
console.log(row(["start", "which", "cpu us", "p99 ms", "gc %", "x bare cpu", "x bare p99"]));
const ran = await measurePairs({
  suite: gatewaySuite(),
  base: stock(),
  head: {},
  controls: ["bare-proxy"],
  pairs: countOf("starts", values.starts),
  batch: 1,
  seed: countOf("seed", values.seed),
  capacity: null,
  onRepeat: () => {},
});

const middle = (repeats: readonly PairRepeat[], metric: "cpu" | "p99" | "gc"): number => {
  const all = repeats.flatMap(({ metrics }) => metrics[metric] ?? []);
  return all.length === 0 ? Number.NaN : summarise(all).median;
};
for (let pair = 0; pair < ran.pairs; pair++) {
  const of = (side: PairRepeat["side"]): readonly PairRepeat[] =>
    ran.repeats.filter((one) => one.pair === pair && one.side === side && !one.isWarmUp);
  const bare = of(null);
  for (const [side, which] of [
    ["base", "stock"],
    ["head", "mended"],
  ] as const) {
    const own = of(side);
    const [cpu, p99] = [middle(own, "cpu"), middle(own, "p99")];
    console.log(
      row([
        String(pair + 1),
        which,
        cpu.toFixed(1),
        p99.toFixed(1),
        middle(own, "gc").toFixed(1),
        (cpu / middle(bare, "cpu")).toFixed(2),
        (p99 / middle(bare, "p99")).toFixed(2),
      ]),
    );
  }
}
console.log(ran.busy.first ?? "the machine was quiet enough");

// npm run bench:clients [-- --pairs 10]: processor time and p99 of a gateway with each client of upstreams, in pairs of fresh
// processes, each pair with a bare proxy of its own.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { PairRepeat } from "../../src/studies/bench/against/result.ts";
import { summarise } from "../../src/kit/stats/summary.ts";
import { countOf, gatewaySuite, measurePairs, type Other } from "./measure.node.ts";

const { values } = parseArgs({
  options: {
    pairs: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
  },
});

function withClient(client: string): Other {
  const preload = pathToFileURL(join(import.meta.dirname, "upstream-client.node.ts"));
  preload.searchParams.set("client", client);
  return { preload: preload.href };
}

const ran = await measurePairs({
  suite: gatewaySuite(),
  base: withClient("undici"),
  head: withClient("weir"),
  controls: ["bare-proxy"],
  pairs: countOf("pairs", values.pairs),
  batch: 1,
  seed: countOf("seed", values.seed),
  capacity: null,
  onRepeat: () => {},
});

const SIDES = [
  [null, "bare proxy"],
  ["base", "undici"],
  ["head", "weir"],
] as const;

const middle = (repeats: readonly PairRepeat[], metric: "cpu" | "p99"): number => {
  const all = repeats.flatMap(({ metrics }) => metrics[metric] ?? []);
  return all.length === 0 ? Number.NaN : summarise(all).median;
};
const row = (cells: readonly string[]): string => cells.map((cell) => cell.padStart(12)).join("");
const ratios: Record<string, number[]> = {};

console.log(row(["pair", "client", "cpu us", "p99 ms", "x bare cpu", "x bare p99"]));
for (let pair = 0; pair < ran.pairs; pair++) {
  const of = (side: PairRepeat["side"]): readonly PairRepeat[] =>
    ran.repeats.filter((one) => one.pair === pair && one.side === side && !one.isWarmUp);
  const bare = of(null);
  for (const [side, client] of SIDES) {
    const [cpu, p99] = [middle(of(side), "cpu"), middle(of(side), "p99")];
    const times = cpu / middle(bare, "cpu");
    (ratios[client] ??= []).push(times);
    const ofBare = [times.toFixed(2), (p99 / middle(bare, "p99")).toFixed(2)];
    console.log(row([String(pair + 1), client, cpu.toFixed(1), p99.toFixed(1), ...ofBare]));
  }
}
for (const [client, times] of Object.entries(ratios))
  console.log(
    `${client}: ${summarise(times).median.toFixed(2)} times the bare proxy's processor time`,
  );
console.log(ran.busy.first ?? "the machine was quiet enough");

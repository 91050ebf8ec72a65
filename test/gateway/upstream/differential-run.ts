// npm run responses -- [--responses N] [--seed N] [--from N]: generated responses, read by the gateway's client of upstreams and
// by undici. One seed gives the same responses; `--from I --responses 1` repeats one of them.
import { parseArgs } from "node:util";
import { compareClients } from "./differential.ts";

const { values } = parseArgs({
  options: {
    responses: { type: "string", default: "1000000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
    from: { type: "string", default: "0" },
  },
});
const [responses, seed, from] = [values.responses, values.seed, values.from].map(Number);
if (![responses, seed, from].every((each) => Number.isSafeInteger(each) && each! >= 0)) {
  console.error("responses: --responses, --seed and --from are integers of at least 0");
  process.exit(2);
}
console.log(`seed ${seed}: responses ${from} to ${from! + responses! - 1}`);
const started = performance.now();
const secondsSince = (): number => Math.round((performance.now() - started) / 1_000);
const { differences, equal, refusedByBoth, stricter } = await compareClients({
  seed: seed!,
  from: from!,
  responses: responses!,
  lanes: 32,
  progress: (done) => console.error(`${done} of ${responses} responses, ${secondsSince()} s`),
});
for (const difference of differences) console.log(difference);
let alone = 0;
for (const [reason, count] of [...stricter].toSorted(([, a], [, b]) => b - a)) {
  console.log(`${count} refused by this client alone: ${reason}`);
  alone += count;
}
console.log(
  `${equal} read alike, ${refusedByBoth} refused by both, ${alone} refused by this client alone, ${differences.length} differences, in ${secondsSince()} s`,
);
process.exitCode = differences.length === 0 ? 0 : 1;

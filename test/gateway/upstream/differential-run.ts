// npm run responses -- [--responses N] [--seed N] [--from N]: generated responses, read by the gateway's client of upstreams and
// by undici. One seed gives the same responses; `--from I --responses 1` repeats one of them.
import { parseArgs } from "node:util";
import { compareClients, type DifferentialOptions } from "./differential.ts";
import { generatePersistent } from "./responses.ts";

const PERSISTENT_SHARE = 10;

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
const started = performance.now();
const secondsSince = (): number => Math.round((performance.now() - started) / 1_000);

async function compare(
  title: string,
  options: Pick<DifferentialOptions, "generate" | "responses">,
) {
  console.log(`seed ${seed}: ${title} ${from} to ${from! + options.responses - 1}`);
  const { differences, equal, refusedByBoth, stricter } = await compareClients({
    seed: seed!,
    from: from!,
    lanes: 32,
    progress: (done) => console.error(`${done} of ${options.responses}, ${secondsSince()} s`),
    ...options,
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
  if (differences.length > 0) process.exitCode = 1;
}

await compare("responses", { responses: responses! });
// What one connection carries: a difference may need the responses before it.
await compare("responses on persistent connections", {
  responses: Math.ceil(responses! / PERSISTENT_SHARE),
  generate: generatePersistent,
});

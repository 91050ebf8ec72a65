// npm run fuzz -- [--inputs N] [--seed N] [--from N] [--lanes N]: raw bytes against a served gateway. One seed gives the same inputs;
// `--from I --inputs 1` repeats one of them.
import { parseArgs } from "node:util";
import { fuzz } from "./fuzz.ts";

const OPTIONS = {
  inputs: { type: "string", default: "1000000" },
  seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
  from: { type: "string", default: "0" },
  lanes: { type: "string", default: "32" },
} as const;

const { values, tokens } = parseArgs({ options: OPTIONS, strict: false, tokens: true });
const strange = tokens.find((token) => token.kind !== "option" || !(token.name in OPTIONS));
if (strange !== undefined) {
  const typed = process.argv[2 + strange.index]!;
  console.error(
    `fuzz: "${typed}" is no option; use: npm run fuzz -- [--inputs N] [--seed N] [--from N] [--lanes N]`,
  );
  process.exit(2);
}
const [inputs, seed, from, lanes] = [values.inputs, values.seed, values.from, values.lanes].map(
  Number,
);
if (![inputs, seed, from, lanes].every((each) => Number.isSafeInteger(each) && each! >= 0)) {
  console.error("fuzz: --inputs, --seed, --from and --lanes are integers of at least 0");
  process.exit(2);
}
console.log(`seed ${seed}: inputs ${from} to ${from! + inputs! - 1}`);
const started = performance.now();
const { failures, counts } = await fuzz({
  seed: seed!,
  from: from!,
  inputs: inputs!,
  lanes: lanes!,
  progress: (done) => {
    const seconds = (performance.now() - started) / 1_000;
    const usage = process.memoryUsage.rss() / 2 ** 20;
    console.error(
      `${done} of ${inputs} inputs, ${Math.round(done / seconds)} a second, ${Math.round(usage)} MiB`,
    );
  },
});
for (const failure of failures) console.log(failure);
const { connections, decided, forwarded, answered } = counts;
const seconds = Math.round((performance.now() - started) / 1_000);
const { user, system } = process.cpuUsage();
console.log(
  `${inputs} inputs on ${connections} connections in ${seconds} s (${Math.round((user + system) / 1e6)} s of processor time): ${answered} answers, ${decided} requests decided, ${forwarded} forwarded, ${failures.length} failures`,
);
process.exitCode = failures.length === 0 ? 0 : 1;

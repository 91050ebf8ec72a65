// npm run costs: measures the cost of each algorithm on a Redis of its own, and writes src/lab/sim/measured-costs.json and the
// page with its table.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NO_REDIS, isRedisThere, startOwnRedis } from "../../src/lab/drivers/own-redis.node.ts";
import { MEASURED, type FormCosts, type MeasuredCosts } from "../../src/lab/sim/measured-costs.ts";
import { redisStore } from "../../src/limiter/store/redis.node.ts";
import { measureCosts } from "./measure.node.ts";
import { tableOf } from "./table.ts";

const ROOT = join(import.meta.dirname, "../..");
const NEAR = 0.02;
const FILE = "src/lab/sim/measured-costs.json";
const PAGE = "docs/reference/store-costs.md";
/** The table on the page, with the line of versions below it. */
const SHOWN = /^\| algorithm +\| admitted [^]*?^Redis .*, scripts [0-9a-f]{12}$/m;

if (process.argv.length > 2) {
  const [, , ...typed] = process.argv;
  process.stderr.write(
    `costs: there is nothing to choose, not "${typed.join(" ")}": it measures on a Redis of its own, and writes ${FILE} and ${PAGE}\n`,
  );
  process.exit(2);
}

if (!isRedisThere()) {
  process.stderr.write(`${NO_REDIS}\n`);
  process.exit(3);
}

const redis = await startOwnRedis();
const store = redisStore({ url: redis.url });
let measured: MeasuredCosts;
try {
  const problem = await store.connect(5_000);
  if (problem !== null) throw new Error(problem);
  measured = await measureCosts(store);
} finally {
  await store.close();
  await redis.stop();
}
/**
 * A sorted set draws its levels by chance, so that its bytes differ by half a percent from run to run. A value that near
 * to the committed one is not changed: otherwise the pages with it would change with every run.
 */
function keepNearBytes(form: FormCosts, committed: FormCosts | undefined): FormCosts {
  const logBytes = form.logBytes.map(([stamps, bytes]): [number, number] => {
    const known = committed?.logBytes.find(([size]) => size === stamps)?.[1] ?? 0;
    return [stamps, Math.abs(bytes - known) <= NEAR * known ? known : bytes];
  });
  return { ...form, logBytes };
}

const committed: MeasuredCosts["forms"] = MEASURED.forms;
const forms = Object.fromEntries(
  Object.entries(measured.forms).map(([name, form]) => [
    name,
    keepNearBytes(form, committed[name]),
  ]),
);
measured = { ...measured, forms };
const page = readFileSync(join(ROOT, PAGE), "utf8");
if (!SHOWN.test(page)) throw new Error(`${PAGE} has no table of costs any more`);
writeFileSync(join(ROOT, FILE), JSON.stringify(measured));
writeFileSync(
  join(ROOT, PAGE),
  page.replace(SHOWN, () => tableOf(measured)),
);
execFileSync(join(ROOT, "node_modules/.bin/oxfmt"), [FILE, PAGE], { cwd: ROOT });
process.stdout.write(`${tableOf(measured)}\n${FILE}\n${PAGE}\n`);

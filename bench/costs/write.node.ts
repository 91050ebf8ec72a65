// npm run costs: measures what each algorithm costs a Redis of its own, and writes src/sim/measured-costs.ts.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { NO_REDIS, isRedisThere, startOwnRedis } from "../../src/drivers/own-redis.node.ts";
import type { MeasuredCosts } from "../../src/sim/cost.ts";
import { redisStore } from "../../src/store/redis.node.ts";
import { measureCosts } from "./measure.node.ts";
import { tableOf } from "./table.ts";

const ROOT = join(import.meta.dirname, "../..");
const FILE = "src/sim/measured-costs.ts";

if (!isRedisThere()) {
  process.stderr.write(`${NO_REDIS}\n`);
  process.exit(3);
}

const redis = await startOwnRedis();
const store = redisStore({ url: redis.url });
let measured: MeasuredCosts;
try {
  const fault = await store.reached(5_000);
  if (fault !== null) throw new Error(fault);
  measured = await measureCosts(store);
} finally {
  await store.close();
  await redis.stop();
}
const text = `// Written by \`npm run costs\`, which measures it on a Redis. test/redis/costs.test.ts holds it against another one.
import type { MeasuredCosts } from "./cost.ts";

export const MEASURED = ${JSON.stringify(measured)} as const satisfies MeasuredCosts;
`;
writeFileSync(join(ROOT, FILE), text);
execFileSync(join(ROOT, "node_modules/.bin/oxfmt"), [FILE], { cwd: ROOT });
process.stdout.write(`${tableOf(measured)}\n${FILE}\n`);

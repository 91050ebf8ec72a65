// The protocol for limiters written in JavaScript: node lines.mjs CLOCK VARIANT. The limiter is the module limiter.mjs in
// the same folder: it is loaded after the clock, so that it reads no other.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(import.meta.url);

function movableClock() {
  const { withGlobal } = require("@sinonjs/fake-timers");
  const toFake = [
    "Date",
    "performance",
    "hrtime",
    "setTimeout",
    "clearTimeout",
    "setInterval",
    "clearInterval",
  ];
  const clock = withGlobal(globalThis).install({ now: 0, toFake });
  let nowUs = 0;
  const set = (us) => {
    clock.setSystemTime(Math.floor(us / 1000));
    nowUs = us;
  };
  return {
    start: set,
    // Backwards only the time of day: a monotonic clock does not follow.
    moveTo: (us) => {
      if (us < nowUs) return set(us);
      // In two steps, and a tenth of a nanosecond more: it rounds a fraction down, and thousands of steps would add up.
      const forUs = us - nowUs;
      clock.tick(Math.floor(forUs / 1000));
      clock.tick(((forUs % 1000) + 0.0001) / 1000);
      nowUs = us;
    },
  };
}

const realClock = () => ({ start: () => undefined, moveTo: () => undefined });

const realNowUs = () => Math.floor((performance.timeOrigin + performance.now()) * 1000);

const [kind = "virtual", variant = ""] = process.argv.slice(2);
const clock = kind === "real" ? realClock() : movableClock();
const { limiter } = await import("./limiter.mjs");
const { version } = JSON.parse(
  readFileSync(new URL(`node_modules/${limiter.package}/package.json`, import.meta.url), "utf8"),
);

/** One limiter for each limit. */
let current = [];

const read = ({ limit, per_us: perUs }) => ({ limit, perMs: perUs / 1000, variant });

const operations = {
  describe: () => ({
    protocol: 1,
    id: limiter.package,
    version,
    clock: kind,
    cost: limiter.cost === true,
  }),
  configure: async ({ limits, at_us: atUs }) => {
    clock.start(atUs);
    const cannot = limits.flatMap((each) => limiter.cannot?.(read(each)) ?? []);
    if (cannot.length > 0) return { cannot };
    current = await Promise.all(limits.map((each) => limiter.create(read(each))));
    return { ok: true };
  },
  change: async ({ limits, at_us: atUs }) => {
    clock.moveTo(atUs);
    const cannot = limits.flatMap((each, i) => {
      if (current[i]?.change === undefined) return ["it cannot change a limit while it runs"];
      return limiter.cannot?.(read(each)) ?? [];
    });
    if (cannot.length > 0) return { cannot };
    for (const [i, each] of limits.entries()) await current[i].change(read(each));
    return { ok: true };
  },
  decide: async ({ limit_index: limitIndex = 0, key, cost, at_us: atUs }) => {
    clock.moveTo(atUs);
    const answer = await current[limitIndex].decide(key, cost);
    return kind === "real" ? { ...answer, at_us: realNowUs() } : answer;
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    const question = JSON.parse(line);
    const operation = operations[question.op];
    answer =
      operation === undefined
        ? { error: `it has no operation ${question.op}` }
        : await operation(question);
  } catch (error) {
    answer = { error: String(error?.stack ?? error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
process.exit(0);

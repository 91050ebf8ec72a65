// The protocol for limiters written in JavaScript, with a clock that goes where it is told. The limiter is the module
// limiter.mjs beside this one: it is loaded after the clock, so that it reads no other.
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
  let microseconds = 0; // that a clock of milliseconds cannot hold
  return {
    start: (us) => clock.setSystemTime(Math.floor(us / 1000)),
    moveTo: async (us) => {
      const ms = Math.floor(us / 1000) - Date.now();
      microseconds = us % 1000;
      if (ms > 0) await clock.tickAsync(ms);
      else if (ms < 0) clock.setSystemTime(Math.floor(us / 1000));
    },
    nowUs: () => Date.now() * 1000 + microseconds,
  };
}

const realClock = () => ({
  start: () => undefined,
  moveTo: () => undefined,
  nowUs: () => Math.floor((performance.timeOrigin + performance.now()) * 1000),
});

const kind = process.argv[2] ?? "virtual";
const clock = kind === "virtual" ? movableClock() : realClock();
const { limiter } = await import("./limiter.mjs");
const { version } = JSON.parse(
  readFileSync(new URL(`node_modules/${limiter.package}/package.json`, import.meta.url), "utf8"),
);
let current = null;

const operations = {
  describe: () => ({
    protocol: 1,
    id: limiter.package,
    version,
    clock: kind,
    cost: limiter.cost === true,
  }),
  configure: async ({ limits, at_us: atUs }) => {
    if (limits.length !== 1)
      return { cannot: [`it evaluates one limit for a key, and here are ${limits.length}`] };
    await clock.start(atUs);
    const [{ limit, per_us: perUs }] = limits;
    const made = await limiter.create({ limit, perMs: perUs / 1000, require });
    if (made.cannot !== undefined) return { cannot: [made.cannot] };
    current = made;
    return { ok: true };
  },
  decide: async ({ key, cost, at_us: atUs }) => {
    await clock.moveTo(atUs);
    const answer = await current.decide(key, cost);
    return kind === "real" ? { ...answer, at_us: clock.nowUs() } : answer;
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    const question = JSON.parse(line);
    const operation = operations[question.op];
    answer =
      operation === undefined
        ? { cannot: [`it has no ${question.op}`] }
        : await operation(question);
  } catch (error) {
    answer = { error: String(error?.message ?? error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
process.exit(0);

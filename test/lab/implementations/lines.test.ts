// A program that speaks the lines wrongly, with real processes: each is an error that names the question, and never a
// refusal.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findImplementation } from "#src/lab/implementations/catalogue.node.ts";
import type { LineLimiter } from "#src/lab/implementations/lines.node.ts";
import { startLimiter } from "#src/lab/implementations/start-limiter.node.ts";
import { isFailure, requireValue } from "#src/kit/reading/failure.ts";

const LIMITS = [{ limit: 5, per_us: 1_000_000, burst: 5 }];
const QUESTION = { limitIndex: 0, key: "k", cost: 1, atUs: 1_767_225_600_000_000 };

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "weir-lines-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const DESCRIPTION = `{ protocol: 1, id: "wrong", version: "1.0.0", clock: "virtual" }`;

/** A limiter in TypeScript, whose answer to `decide` is the body of a function of the question. */
function writeLimiter(
  decide: string,
  description = DESCRIPTION,
  install = "{ registry: none }",
): void {
  writeFileSync(
    join(dir, "manifest.yaml"),
    `name: wrong
about: It speaks the lines wrongly.
version: 1.0.0
kind: decide
install: ${install}
start: [node, "{folder}/limiter.ts"]
clock: virtual
model: { algorithm: fixed_window }
capabilities: { scopes: [key] }
`,
  );
  writeFileSync(
    join(dir, "limiter.ts"),
    `import { closeSync } from "node:fs";
import { createInterface } from "node:readline";
interface Question { readonly op: string; readonly key?: string; readonly at_us?: number }
const write = (answer: unknown): void => void process.stdout.write(JSON.stringify(answer) + "\\n");
const decide = (question: Question): void => { ${decide} };
for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line) as Question;
  if (question.op === "describe") write(${description});
  else if (question.op === "configure" || question.op === "change") write({ ok: true });
  else decide(question);
}
`,
  );
}

async function withLimiter<T>(
  work: (limiter: LineLimiter) => Promise<T>,
  silenceMs = 10_000,
): Promise<T> {
  const implementation = requireValue(await findImplementation(dir));
  const limiter = await startLimiter(implementation, {}, silenceMs);
  try {
    return await work(limiter);
  } finally {
    await limiter.stop();
  }
}

/** The message of the error of one decision. */
const failingDecision = (decide: string, silenceMs?: number): Promise<string> => {
  writeLimiter(decide);
  return withLimiter(async (limiter) => {
    await limiter.configure(LIMITS, QUESTION.atUs);
    return limiter.decide(QUESTION).then(
      (decision) => `no error: ${JSON.stringify(decision)}`,
      (error: unknown) => (error as Error).message,
    );
  }, silenceMs);
};

test("a limiter in TypeScript in a folder of a user runs without an installation", async () => {
  writeLimiter(`write({ admitted: question.key === "k", remaining: 4 });`);
  const [first, other] = await withLimiter(async (limiter) => {
    await limiter.configure(LIMITS, QUESTION.atUs);
    return [await limiter.decide(QUESTION), await limiter.decide({ ...QUESTION, key: "other" })];
  });
  expect(first).toMatchObject({ admitted: true, remaining: 4, retry_after_us: null });
  expect(other.admitted).toBe(false);
});

describe("a decision that is an error", () => {
  const QUOTED = `{"op":"decide","limit_index":0,"key":"k","cost":1,"at_us":1767225600000000}`;

  test.each([
    ["no JSON", `process.stdout.write("admitted\\n");`, /by a line that is no JSON: "admitted"/],
    ["no decision", `write({ ok: true });`, /a decision needs "admitted"/],
    ["a string", `write({ admitted: "yes" });`, /admitted/],
    ["an error", `write({ error: "the store is gone" });`, /failed on .*: the store is gone$/],
    ["a negative wait", `write({ admitted: false, retry_after_us: -1 });`, /retry_after_us/],
    [
      "a number that is none",
      `process.stdout.write('{"admitted":false,"retry_after_us":NaN}\\n');`,
      /no JSON/,
    ],
    [
      "a wait without end",
      `process.stdout.write('{"admitted":false,"retry_after_us":1e400}\\n');`,
      /retry_after_us/,
    ],
    ["a large line", `write({ admitted: true, note: "x".repeat(70_000) });`, /line of 70/],
    ["an unknown field", `write({ admitted: true, retry_after: 3 });`, /retry_after/],
  ])("%s", async (_, decide, expected) => {
    const message = await failingDecision(decide);
    expect(message).toMatch(expected);
    expect(message).toContain(QUOTED);
  });

  test("a line that never ends", async () => {
    const message = await failingDecision(
      `for (let i = 0; i < 200; i++) process.stdout.write("x".repeat(10_000));`,
    );
    expect(message).toMatch(/more than 65536 .* without the end of a line/);
  });

  test("silence", async () => {
    expect(await failingDecision(``, 2_000)).toBe(`wrong has not answered ${QUOTED} for 2 s`);
  });

  test("words on the error output alone are not an answer, and are quoted when it ends", async () => {
    expect(
      await failingDecision(
        `console.error("no budget file"); setTimeout(() => process.exit(3), 50);`,
      ),
    ).toMatch(/^wrong ended with code 3: no budget file/);
  });

  test("a death in the middle of an answer", async () => {
    expect(
      await failingDecision(
        `process.stdout.write('{"admitted":', () => process.kill(process.pid, "SIGKILL"));`,
      ),
    ).toMatch(/wrong (ended with SIGKILL|answered .* no JSON)/);
  });

  test("a closed output", async () => {
    expect(await failingDecision(`closeSync(1); setTimeout(() => undefined, 60_000);`)).toMatch(
      /^wrong closed its output, and .* has no answer$/,
    );
  });
});

test("a fractional wait is a wait", async () => {
  writeLimiter(`write({ admitted: false, retry_after_us: 0.5 });`);
  const decision = await withLimiter((limiter) => limiter.decide(QUESTION));
  expect(decision.retry_after_us).toBe(0.5);
});

test("a line too many is an error of the next question", async () => {
  // In one piece, so that both are there before the next question.
  writeLimiter(`process.stdout.write('{"admitted":true}\\n{"admitted":false}\\n');`);
  const message = await withLimiter(async (limiter) => {
    await limiter.decide(QUESTION);
    return limiter.decide(QUESTION).then(String, (error: unknown) => (error as Error).message);
  });
  expect(message).toBe(
    `wrong wrote a line without a question after ${JSON.stringify({ op: "decide", limit_index: 0, key: "k", cost: 1, at_us: QUESTION.atUs })}: "{\\"admitted\\":false}"`,
  );
});

test.each([
  ["another protocol", `{ protocol: 2, id: "w", version: "1.0.0", clock: "virtual" }`, /protocol/],
  [
    "another clock",
    `{ protocol: 1, id: "w", version: "1.0.0", clock: "real" }`,
    /its clock is real/,
  ],
  [
    "another version",
    `{ protocol: 1, id: "w", version: "2.0.0", clock: "virtual" }`,
    /reports version 2.0.0/,
  ],
  [
    "other costs",
    `{ protocol: 1, id: "w", version: "1.0.0", clock: "virtual", cost: true }`,
    /^wrong reports cost: true, and the capabilities of its manifest have cost: false; correct one/,
  ],
])("%s than the manifest's stops before a decision", async (_, description, expected) => {
  writeLimiter(`write({ admitted: true });`, description);
  await expect(withLimiter(() => Promise.resolve())).rejects.toThrow(expected);
});

test("a library that is none of the manifest's packages stops before a decision", async () => {
  const install = "{ registry: npm, packages: [right@1.0.0], size: 1 MB }";
  writeLimiter(`write({ admitted: true });`, DESCRIPTION, install);
  await expect(withLimiter(() => Promise.resolve())).rejects.toThrow(
    "wrong reports that it is wrong, and its manifest installs right@1.0.0; correct one of them",
  );
  writeLimiter(`write({ admitted: true });`, DESCRIPTION.replace("wrong", "right"), install);
  const decision = await withLimiter((limiter) => limiter.decide(QUESTION));
  expect(decision.admitted).toBe(true);
});

test("limits that it cannot enforce are a failure with its sentences", async () => {
  writeLimiter(`write({ admitted: true });`);
  const text = join(dir, "limiter.ts");
  writeFileSync(
    text,
    `process.stdin.on("data", (data) => {
  for (const line of String(data).trim().split("\\n"))
    console.log(line.includes("describe") ? JSON.stringify(${DESCRIPTION}) : '{"cannot":["it has no limit per day"]}');
});
`,
  );
  const failed = await withLimiter((limiter) => limiter.configure(LIMITS, QUESTION.atUs));
  expect(isFailure(failed) && failed.message).toBe("it has no limit per day");
});

test("a program that is not there is an error with its name", async () => {
  writeLimiter(`write({ admitted: true });`);
  const file = join(dir, "manifest.yaml");
  writeFileSync(
    file,
    `name: wrong
about: It is not there.
version: 1.0.0
kind: decide
install: { registry: none }
start: [no-such-program]
clock: virtual
model: {}
capabilities: { scopes: [key] }
`,
  );
  await expect(withLimiter(() => Promise.resolve())).rejects.toThrow(
    /^wrong ended with code 127: .*no-such-program/,
  );
});

test("a killed run leaves no process and no folder", async () => {
  writeLimiter(`setTimeout(() => undefined, 600_000);`); // it never answers
  mkdirSync(join(dir, "run"));
  writeFileSync(
    join(dir, "run", "start.ts"),
    `import { findImplementation } from ${JSON.stringify(join(SOURCE, "catalogue.node.ts"))};
import { startLimiter } from ${JSON.stringify(join(SOURCE, "start-limiter.node.ts"))};
const limiter = await startLimiter(await findImplementation(${JSON.stringify(dir)}));
console.log("started");
await limiter.decide(${JSON.stringify(QUESTION)});
`,
  );
  const run = spawn(process.execPath, [join(dir, "run", "start.ts")], {
    env: { ...process.env, TMPDIR: join(dir, "run") },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((resolve) => run.stdout.once("data", resolve));
  expect(await commandsWith(join(dir, "limiter.ts"))).toBeGreaterThan(0);
  expect(foldersOfRuns()).toHaveLength(1);
  run.kill("SIGKILL");
  const untilMs = performance.now() + 5_000;
  let left = 1;
  while (left > 0 && performance.now() < untilMs) {
    await sleep(50);
    left = await commandsWith(join(dir, "limiter.ts"));
  }
  expect(left).toBe(0);
  await expect.poll(foldersOfRuns).toEqual([]);
});

const foldersOfRuns = (): readonly string[] =>
  readdirSync(join(dir, "run")).filter((name) => name.startsWith("weir-"));

const SOURCE = join(import.meta.dirname, "../../../src/lab/implementations");

/** How many processes have this text in their command. */
async function commandsWith(text: string): Promise<number> {
  const list = spawn("ps", ["-eo", "args"], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  for await (const part of list.stdout) output += String(part);
  return output.split("\n").filter((line) => line.includes(text)).length;
}

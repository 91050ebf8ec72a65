import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ImplementationsRun } from "../../src/experiments/implementations/result.ts";
import { folderWith, weir } from "./weir.ts";

async function folderWithLimiter(
  change: (text: string) => string = (text) => text,
): Promise<string> {
  const folder = folderWith({});
  expect(await weir(folder, ["implementations", "new", "my-limiter"])).toMatchObject({
    code: 0,
    out: "wrote my-limiter; examine it: weir implementations run ./my-limiter\n",
  });
  const file = join(folder, "my-limiter/limiter.mjs");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, change(text));
  return folder;
}

test("a new implementation holds every behaviour that it can express", async () => {
  const folder = await folderWithLimiter();
  const { code, out } = await weir(folder, ["implementations", "run", "./my-limiter"]);
  expect(out).toContain("18 holds, 0 contradicts its documentation");
  expect(out).toContain("2 unsupported");
  expect(out.trimEnd().split("\n").at(-1)).toBe("1 run, 0 not run");
  expect(code).toBe(0);
  const file = join(folder, "reports/implementations/my-limiter.json");
  const saved = JSON.parse(readFileSync(file, "utf8")) as ImplementationsRun;
  expect(saved).toMatchObject({
    format: "weir-implementations-run/1",
    seed: 1,
    implementations: [{ id: "my-limiter", version: "1.0.0", clock: "virtual", missing: null }],
    footer: { holds: 18, unsupported: 2, run: 1, notRun: 0 },
  });
});

test("a contradiction is confirmed, and reduced to what shows it", async () => {
  const folder = await folderWithLimiter((text) =>
    text.replace(
      "window.spent + cost <= limit",
      'window.spent < limit + (key.includes("bob") ? 1 : 0)',
    ),
  );
  const run = ["implementations", "run", "./my-limiter", "--only", "five-of-ten"];
  const { code, out } = await weir(folder, [...run, "--json"]);
  expect(code).toBe(1);
  const { implementations } = JSON.parse(out) as ImplementationsRun;
  const [judged] = implementations[0]!.verdicts;
  expect(judged).toMatchObject({
    verdict: "contradicts",
    evidence: ["five for bob: expected 5, observed 6 of 10"],
    source: "README.md",
    confirmed: { seeds: [2, 3, 4], tried: 3 },
  });
  // Six requests of one key, and nothing of the other.
  expect(judged!.confirmed!.decisions).toHaveLength(6);
  expect(judged!.confirmed!.scenario).not.toContain("as: alice");
  const text = await weir(folder, run);
  expect(text.out).toContain("contradicts its own documentation: my-limiter, five-of-ten");
  expect(text.out).toContain("--implementation ./my-limiter");
});

test("one that hangs up is a failure, and never a refusal", async () => {
  const folder = await folderWithLimiter((text) => text.replace("change:", "process.exit(3),"));
  const { code, out } = await weir(folder, [
    "implementations",
    "run",
    "./my-limiter",
    "--only=five-of-ten",
  ]);
  expect(out).toContain("could not be run: my-limiter, five-of-ten");
  expect(code).toBe(1);
});

test("a missing installation is a line, and an error where it is required", async () => {
  const folder = folderWith({});
  const environment = { WEIR_IMPLEMENTATIONS: join(folder, "cache") };
  const run = ["implementations", "run", "nginx"];
  const without = await weir(folder, run, environment);
  expect(without.code).toBe(0);
  expect(without.out).toContain("not run: nginx: ");
  expect(without.out.trimEnd().split("\n").at(-1)).toBe("0 run, 1 not run");
  const required = await weir(folder, [...run, "--require", "nginx"], environment);
  expect(required.code).toBe(3);
  expect(required.err).toContain("nginx is required, and ");
});

test.each([
  [["run", "--only", "nothing"], "no behaviour is called nothing"],
  [["run", "nginx", "--require", "envoy"], "--require envoy: it is not among those that run"],
  [["list", "--html", "x.html"], "--html needs weir implementations run"],
  [["new"], "weir implementations new needs one NAME"],
  [["new", "My Limiter"], '"My Limiter" is no name of an implementation'],
  [["play"], "weir implementations play; use one of list, install, run, new"],
])("weir implementations %j is rejected", async (args, sentence) => {
  const { code, err } = await weir(folderWith({}), ["implementations", ...args]);
  expect(err).toContain(sentence);
  expect(code).toBe(2);
});

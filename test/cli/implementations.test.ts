import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  readImplementationsRun,
  type ImplementationRun,
  type ImplementationsRun,
} from "#src/studies/implementations/result.ts";
import { behaviourNames } from "#src/lab/implementations/behaviour-names.node.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { installable } from "./to-install.ts";
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

/** It has one limit for a request, no burst and no store. */
const INEXPRESSIBLE = [
  "a-burst-below-the-rate",
  "a-store-is-gone-and-back",
  "refused-by-one-level-only",
];

test("a new implementation holds every behaviour that it can express", async () => {
  const folder = await folderWithLimiter();
  const { code, out } = await weir(folder, ["implementations", "run", "./my-limiter"]);
  const behaviours = behaviourNames();
  const holds = behaviours.length - INEXPRESSIBLE.length;
  expect(out).toContain(`${holds} holds, 0 contradicts its documentation`);
  expect(out).toContain(`${INEXPRESSIBLE.length} unsupported, 0 open, 0 failed`);
  expect(out).toMatch(
    /^my-limiter \(1\.0\.0\) does what was expected in all \d+ behaviours that could be seen\.$/m,
  );
  expect(code).toBe(0);
  const file = join(folder, "reports/implementations/my-limiter.json");
  const saved = requireValue(readImplementationsRun(readFileSync(file, "utf8")));
  const [{ verdicts }] = saved.implementations as [ImplementationRun];
  const unsupported = verdicts.filter(({ verdict }) => verdict === "unsupported");
  expect(unsupported.map(({ behaviour }) => behaviour)).toEqual(INEXPRESSIBLE);
  expect(verdicts.map(({ behaviour }) => behaviour)).toEqual(behaviours);
  expect(saved).toMatchObject({
    format: "weir-implementations-run/1",
    seed: 1,
    implementations: [{ id: "my-limiter", version: "1.0.0", clock: "virtual", missing: null }],
    footer: { holds, unsupported: INEXPRESSIBLE.length, run: 1, notRun: 0 },
  });
  const page = await weir(folder, ["report", file, "-o", "page.html"]);
  expect(page).toMatchObject({ code: 0 });
  expect(readFileSync(join(folder, "page.html"), "utf8")).toContain('id="limiters-1-my-limiter-');
});

test("a new server holds what it can express, and the reason of what it cannot is a line", async () => {
  const folder = folderWith({});
  const made = await weir(folder, ["implementations", "new", "my-gateway", "--kind", "http"]);
  expect(made.out).toBe("wrote my-gateway; examine it: weir implementations run ./my-gateway\n");
  const only = "a-cost-above-the-limit,a-limit-is-raised,five-of-ten,the-announced-wait-suffices";
  const run = ["implementations", "run", "./my-gateway", "--only", only];
  const { code, out } = await weir(folder, run);
  expect(out).toContain("3 holds, 0 contradicts its documentation");
  expect(out).toContain(
    "cannot be expressed: my-gateway, 1: it counts requests, and here a request has a cost\n",
  );
  expect(code).toBe(0);
});

test("a folder without its path is suggested with it", async () => {
  const folder = await folderWithLimiter();
  const { code, err } = await weir(folder, ["implementations", "run", "my-limiter"]);
  expect(err).toContain('no implementation is called "my-limiter"; did you mean "./my-limiter"?');
  expect(code).toBe(2);
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

test("one that never starts fails once for all behaviours, with its error and without its stack", async () => {
  const folder = await folderWithLimiter((text) =>
    text.replace("let limit = 0;", "null.budget();"),
  );
  const { code, out } = await weir(folder, ["implementations", "run", "./my-limiter"]);
  const lines = out.split("\n").filter((line) => line.startsWith("could not be run"));
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^could not be run: my-limiter, a-client-that-keeps-asking and 2 more$/);
  expect(out).toMatch(
    /ended with code 1: .*limiter\.mjs:\d+ \/ TypeError: Cannot read properties of null/,
  );
  expect(out).toContain("not tried, because no behaviour before it could be run");
  expect(out).not.toMatch(/^\s+at /m);
  expect(code).toBe(1);
});

test.each([
  [
    "has an error",
    "export const translate = (",
    2,
    /translate\.js cannot be loaded: .*; correct the file/,
  ],
  [
    "exports another name",
    "export const other = 1;",
    2,
    /translate\.js has no translate; export a function/,
  ],
  [
    "fails",
    "export const translate = () => null.x;",
    1,
    /translate\.js failed: Cannot read .*; correct translate/,
  ],
  [
    "returns a number",
    "export const translate = () => 3;",
    1,
    /translate\.js translated a world to 3; return/,
  ],
])("a translator that %s is a sentence with its file", async (_, translate, expected, sentence) => {
  const folder = folderWith({
    "srv/manifest.yaml": installable("[]")
      .replace("registry: maven, packages: [], build: []", "registry: none")
      .replace("kind: decide", "kind: http")
      .replace("clock: virtual", "clock: real"),
    "srv/translate.js": translate,
  });
  const run = ["implementations", "run", "./srv", "--only", "five-of-ten"];
  const { code, out, err } = await weir(folder, run);
  expect(out + err).toMatch(sentence);
  expect(out + err).not.toContain("internal error");
  expect(code).toBe(expected);
});

test("a missing installation is a line, and an error where it is required", async () => {
  const folder = folderWith({});
  const environment = { WEIR_IMPLEMENTATIONS: join(folder, "cache") };
  const run = ["implementations", "run", "nginx"];
  const without = await weir(folder, run, environment);
  expect(without.code).toBe(0);
  expect(without.out).toContain("not run: nginx: ");
  expect(without.out).toMatch(/^nginx was not run: /);
  expect(without.out).toMatch(/, 0 run, 1 not run\n$/);
  const required = await weir(folder, [...run, "--require", "nginx"], environment);
  expect(required.code).toBe(3);
  expect(required.err).toContain("nginx is required, and ");
});

test.each([
  [["run", "--only", "nothing"], "no behaviour is called nothing"],
  [["run", "nginx", "--require", "envoy"], "--require envoy: this run has no such implementation"],
  [["list", "--html", "x.html"], "--html needs weir implementations run"],
  [["new"], "weir implementations new needs one NAME"],
  [["new", "a", "--kind", "tcp"], '--kind must be one of decide, http; got "tcp"'],
  [["run", "nginx", "--kind", "http"], "--kind needs weir implementations new"],
  [["new", "My Limiter"], '"My Limiter" is no name of an implementation'],
  [["play"], '"play" is no action; use one of list, install, run, prove, new'],
])("weir implementations %j is rejected", async (args, sentence) => {
  const { code, err } = await weir(folderWith({}), ["implementations", ...args]);
  expect(err).toContain(sentence);
  expect(code).toBe(2);
});

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import {
  readImplementationsRun,
  type ImplementationRun,
  type ImplementationsRun,
} from "../../src/experiments/implementations/result.ts";
import { behaviourNames } from "../../src/implementations/behaviour-names.node.ts";
import { requireValue } from "../../src/reading/failure.ts";
import { sourceEntry } from "../built.ts";
import { folderWith, quietEnvironment, weir } from "./weir.ts";

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
  expect(out.trimEnd().split("\n").at(-1)).toBe("1 run, 0 not run");
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
  [["play"], "weir implementations play; use one of list, install, run, prove, new"],
])("weir implementations %j is rejected", async (args, sentence) => {
  const { code, err } = await weir(folderWith({}), ["implementations", ...args]);
  expect(err).toContain(sentence);
  expect(code).toBe(2);
});

// ---------------------------------------------------------------- installation

/** Needs no registry: its build is its installation. */
const installable = (build: string): string => `name: Built here
about: Nothing.
version: 1.0.0
kind: decide
install: { registry: maven, packages: [], build: ${build} }
start: [node]
clock: virtual
model: {}
capabilities: { scopes: [key] }
`;

/** A registry that this machine has in any case. */
const mvn = "#!/bin/sh\nmkdir -p lib\n";

function folderToInstall(builds: Readonly<Record<string, string>>): {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
} {
  const folder = folderWith({
    "bin/mvn": mvn,
    ...Object.fromEntries(
      Object.entries(builds).map(([name, build]) => [`${name}/manifest.yaml`, installable(build)]),
    ),
  });
  chmodSync(join(folder, "bin/mvn"), 0o755);
  const environment = {
    WEIR_IMPLEMENTATIONS: join(folder, "cache"),
    PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
  };
  return { folder, environment };
}

test("a list has a line for each installation, and the command that installs what is missing", async () => {
  const folder = folderWith({
    "ready/manifest.yaml": installable("[]").replace(
      "registry: maven, packages: [], build: []",
      "registry: none",
    ),
    "missing/manifest.yaml": installable("[]").replace("packages: []", "packages: [], size: 12 MB"),
    "bin/mvn": mvn,
  });
  chmodSync(join(folder, "bin/mvn"), 0o755);
  const environment = {
    WEIR_IMPLEMENTATIONS: join(folder, "cache"),
    PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
  };
  const list = ["implementations", "list", "./ready", "./missing"];
  const { out } = await weir(folder, list, environment);
  expect(out.trimEnd().split("\n")).toEqual([
    "implementation  version  clock    size   state",
    "ready           1.0.0    virtual         ready",
    "    Nothing.",
    "missing         1.0.0    virtual  12 MB  not installed",
    "    Nothing.",
    "2 implementations, of which 1 can be run",
    "install 1 more, 12 MB: weir implementations install ./missing",
  ]);
  const { implementations } = JSON.parse(
    (await weir(folder, [...list, "--json"], environment)).out,
  ) as {
    readonly implementations: readonly Readonly<Record<string, string | null>>[];
  };
  expect(implementations.map(({ id, size, missing }) => [id, size, missing])).toEqual([
    ["ready", null, null],
    [
      "missing",
      "12 MB",
      "Built here 1.0.0 is not installed; run: weir implementations install ./missing",
    ],
  ]);
});

test("several are installed by one command; one that fails is a line, and leaves nothing", async () => {
  const { folder, environment } = folderToInstall({
    first: "[[sh, -c, 'echo a > built']]",
    second: "[[sh, -c, 'echo b > built; echo no such package >&2; exit 9']]",
    third: "[[sh, -c, 'echo c > built']]",
  });
  const install = ["implementations", "install", "./first", "./second", "./third"];
  const { code, out, err } = await weir(folder, install, environment);
  expect(out.trimEnd().split("\n")).toEqual([
    "Built here 1.0.0 is installed",
    "Built here 1.0.0 is installed",
    "2 installed, 1 failed (second), 0 left out",
  ]);
  expect(err).toMatch(
    /^second is not installed: sh -c .* ended with code 9:\n {2}no such package\n$/,
  );
  expect(code).toBe(3);
  const cache = join(folder, "cache");
  expect(readdirSync(cache).toSorted()).toEqual(["first", "third"]);
  expect(readFileSync(join(cache, "third/1.0.0/built"), "utf8")).toBe("c\n");
});

test("an installation that is interrupted leaves nothing, and neither does one that was killed", async () => {
  const { folder, environment } = folderToInstall({
    slow: "[[sh, -c, 'touch ../../../begun; sleep 100 & wait']]",
    other: "[[sh, -c, 'echo a > built']]",
  });
  const cache = join(folder, "cache");
  mkdirSync(join(cache, "gone/1.0.0.partial-999999999"), { recursive: true });
  const child = spawn(
    process.execPath,
    [sourceEntry, "implementations", "install", "./slow", "./other"],
    { cwd: folder, env: { ...quietEnvironment, ...environment }, stdio: "ignore" },
  );
  while (!existsSync(join(folder, "begun"))) await sleep(50);
  child.kill("SIGINT");
  const [code] = (await once(child, "exit")) as [number];
  expect(code).toBe(130);
  expect(existsSync(cache) ? readdirSync(cache) : []).toEqual([]);
});

test("an installation whose Weir is killed ends too, and the next one removes what it left", async () => {
  const { folder, environment } = folderToInstall({
    slow: "[[sh, -c, 'sleep 98.7654 & touch ../../../begun; wait']]",
    other: "[[sh, -c, 'echo a > built']]",
  });
  const child = spawn(process.execPath, [sourceEntry, "implementations", "install", "./slow"], {
    cwd: folder,
    env: { ...quietEnvironment, ...environment },
    stdio: "ignore",
  });
  while (!existsSync(join(folder, "begun"))) await sleep(50);
  expect(countCommands("sleep 98.7654")).toBe(1);
  child.kill("SIGKILL");
  await once(child, "exit");
  await expect.poll(() => countCommands("sleep 98.7654"), { timeout: 5_000 }).toBe(0);
  const cache = join(folder, "cache");
  expect(readdirSync(cache)).toEqual(["slow"]);
  const { code } = await weir(folder, ["implementations", "install", "./other"], environment);
  expect(code).toBe(0);
  expect(readdirSync(cache)).toEqual(["other"]);
});

const countCommands = (text: string): number =>
  spawnSync("ps", ["-eo", "args"], { encoding: "utf8" })
    .stdout.split("\n")
    .filter((line) => line === text).length;

test("what this machine cannot install is left out of the whole list, and is an error by its name", async () => {
  const folder = folderWith({});
  const environment = {
    WEIR_IMPLEMENTATIONS: join(folder, "cache"),
    PATH: dirname(process.execPath),
  };
  const named = await weir(folder, ["implementations", "install", "tyk", "nginx"], environment);
  expect(named.err).toContain(
    "tyk is not installed: Tyk Gateway is installed by its owner: set TYK_BINARY",
  );
  expect(named.err).toContain(
    "nginx is not installed: nginx limit_req needs apt-get and dpkg on the PATH",
  );
  expect(named.code).toBe(3);
});

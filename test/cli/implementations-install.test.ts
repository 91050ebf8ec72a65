import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { sourceEntry } from "../built.ts";
import { folderToInstall, installable, mvn } from "./to-install.ts";
import { folderWith, quietEnvironment, weir } from "./weir.ts";

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

test("an installation with a changed file is out of date, and is installed again", async () => {
  const { folder, environment } = folderToInstall({ first: "[]" });
  writeFileSync(join(folder, "first/limiter.mjs"), "// the limiter\n");
  const run = async (what: string): Promise<string> =>
    (await weir(folder, ["implementations", what, "./first"], environment)).out;
  expect(await run("install")).toBe("Built here 1.0.0 is installed\n");
  expect(await run("list")).toMatch(/^first .* ready$/m);
  const copy = join(folder, "cache/first/1.0.0/limiter.mjs");
  writeFileSync(copy, "// another limiter\n");
  expect(await run("list")).toMatch(/^first .* out of date$/m);
  expect(await run("install")).toBe("Built here 1.0.0 is installed\n");
  expect(readFileSync(copy, "utf8")).toBe("// the limiter\n");
  rmSync(copy);
  expect(await run("list")).toMatch(/^first .* out of date$/m);
});

test.each(["nowhere", "."])("a program of its owner at %s is none", async (place) => {
  const folder = folderWith({});
  const environment = { TYK_BINARY: join(folder, place) };
  const { code, err } = await weir(folder, ["implementations", "install", "tyk"], environment);
  expect(err).toContain(`, and not to ${join(folder, place)}, which is no program`);
  expect(code).toBe(3);
});

test.each(["limits", "./limits"])("the name %s with --require means each variant", async (name) => {
  const two = "variants: { one: { about: One. }, two: { about: Two. } }\n";
  const { folder, environment } = folderToInstall({ limits: "[]" });
  writeFileSync(join(folder, "limits/manifest.yaml"), `${installable("[]")}${two}`);
  const run = ["implementations", "run", "./limits", "--only", "five-of-ten"];
  const { code, err } = await weir(folder, [...run, "--require", name], environment);
  for (const id of ["limits/one", "limits/two"])
    expect(err).toContain(`${id} is required, and Built here 1.0.0 is not installed`);
  expect(code).toBe(3);
});

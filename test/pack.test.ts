// The packed project as users have it: installed in an empty folder, once for all tests.
import { spawn, spawnSync, type SpawnSyncReturns } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { digestOfSources, MADE_OF } from "#src/studies/queue/code.node.ts";
import { waitUntilReady } from "#src/gateway/serving/ready.node.ts";
import { entry } from "./built.ts";
import { sessionsOf } from "./docs/sessions.ts";

const root = join(import.meta.dirname, "..");
const MEGABYTE = 1_000_000;

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly version: string;
  readonly engines: { readonly node: string };
};
/** The oldest Node of the manifest. */
const OLDEST = manifest.engines.node.replace(">=", "");

/** A shell's environment, not that of the npm script around this test, on the pinned Node. */
const shell = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name !== "npm_config_local_prefix"),
);
shell["PATH"] = [dirname(process.execPath), process.env["PATH"]].join(delimiter);
shell["NO_COLOR"] = "1";

const temporary = mkdtempSync(join(tmpdir(), "weir-pack-"));
const project = join(temporary, "empty");
const installed = join(project, "node_modules/weir");
const weir = join(project, "node_modules/.bin/weir"); // what npx finds, without npm before it
let tarball = "";

function spawnIn(
  folder: string,
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = shell,
): SpawnSyncReturns<string> {
  return spawnSync(command, args, { cwd: folder, env, encoding: "utf8" });
}

function run(folder: string, command: string, ...args: readonly string[]): string {
  const done = spawnIn(folder, command, args);
  expect(done, `${command} ${args.join(" ")}`).toMatchObject({ status: 0 });
  return done.stdout;
}

/** Packages of this checkout that a user installs in addition to Weir, without a download. */
function addPackage(name: string): void {
  symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name));
}

const DIST_BUILDER = join(root, "build/dist.node.ts");
let started: readonly string[] = []; // the scripts that packing ran
let warnings = ""; // of npm as it installs the tarball

beforeAll(() => {
  entry(); // dist/ is built, so that packing leaves it as it is under other tests that run it
  const log = join(temporary, "started.txt");
  const record = join(temporary, "record-scripts.mjs");
  const hook = `import { appendFileSync } from "node:fs";
appendFileSync(${JSON.stringify(log)}, process.argv[1] + "\\n");`;
  writeFileSync(record, hook);
  const env = { ...shell, NODE_OPTIONS: `--import=${pathToFileURL(record).href}` };
  const args = ["pack", "--silent", "--pack-destination", temporary];
  const { status, stderr } = spawnIn(root, "npm", args, env);
  if (status !== 0) throw new Error(`npm pack fails: ${stderr}`);
  started = readFileSync(log, "utf8").split("\n");
  const tarballs = readdirSync(temporary).filter((name) => name.endsWith(".tgz"));
  tarball = join(temporary, ...tarballs);
  mkdirSync(project);
  // Offline: nothing but the tarball is needed.
  const quickly = ["--offline", "--no-audit", "--no-fund"];
  const install = ["install", ...quickly, "--prefix", project, "--no-save", tarball];
  const { status: installStatus, stderr: printed } = spawnIn(project, "npm", install);
  if (installStatus !== 0) throw new Error(`npm install fails: ${printed}`);
  warnings = printed;
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  run(project, weir, "new", "limits/first");
});

afterAll(() => rmSync(temporary, { recursive: true }));

// That the builder builds where nothing is built, `npm start` shows, which runs it too.
test("packing builds what has changed, and the package is made of these sources", () => {
  expect(started).toContain(DIST_BUILDER);
  expect(readFileSync(join(installed, "dist", MADE_OF), "utf8")).toBe(digestOfSources(root));
});

test("the package is small, and installs nothing else", () => {
  const packages = readdirSync(join(project, "node_modules")).filter(
    (name) => !name.startsWith("."),
  );
  expect(packages).toEqual(["weir"]);
  const [sizeMb] = run(project, "du", "-sm", "node_modules").split("\t");
  expect(Number(sizeMb)).toBeLessThan(20); // docs/decisions/047-bounds-of-sizes.md
  expect(statSync(tarball).size).toBeLessThan(5 * MEGABYTE);
});

test("npm installs it without a warning, and npx runs the tarball in 10 s of processor time", () => {
  expect(warnings).toBe("");
  const command = `npx --offline --yes -p "${tarball}" weir version; times`;
  const env = { ...shell, npm_config_cache: join(temporary, "cache") }; // as on a machine that has never run it
  const { stdout } = spawnIn(temporary, "bash", ["-c", command], env);
  const [version, , ofChildren = ""] = stdout.split("\n");
  expect(version).toBe(manifest.version);
  const seconds = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, rest]) => Number(minutes) * 60 + Number(rest),
  );
  expect(seconds).toHaveLength(2);
  expect(seconds.reduce((total, one) => total + one)).toBeLessThan(10);
});

test.each([
  ["publint", "--strict"],
  ["attw", "--profile", "esm-only", "--no-emoji"],
])("%s finds nothing wrong in the tarball", (linter, ...flags) => {
  const program = join(root, "node_modules/.bin", linter);
  expect(spawnIn(temporary, program, [tarball, ...flags])).toMatchObject({ status: 0 });
});

/** Which Node is the newest depends on the day, so that only the night has it (.ci/nightly). */
const RELEASES = process.env["WEIR_NEWEST_NODE"] === undefined ? [OLDEST] : [OLDEST, "latest"];

test.runIf(process.platform === "linux").each(RELEASES)(
  "the package runs on Node %s",
  (release) => {
    const script = join(installed, "dist/cli/weir.node.js");
    const scenarios = join(installed, "scenarios/limits");
    const command = `node "${script}" version --json && node "${script}" run "${scenarios}" --quiet`;
    const node = `node-linux-${process.arch}@${release}`;
    const [about = "", verdict] = run(
      temporary,
      "npx",
      "--yes",
      "--prefer-offline",
      "--package",
      node,
      "--call",
      command,
    ).split("\n");
    const { node: version } = JSON.parse(about) as { readonly node: string };
    expect(release === "latest" || version.startsWith(`v${release}.`)).toBe(true);
    expect(verdict).toMatch(/^[1-9]\d+ passed, 0 failed, 0 skipped$/);
  },
  60_000,
);

test("the licence of each bundled package is in the package", () => {
  const text = readFileSync(join(installed, "dist/third-party-licences.txt"), "utf8");
  for (const name of ["fastify", "undici", "vega", "vega-interpreter", "yaml"])
    expect(text).toMatch(new RegExp(`^${name}@\\S+ \\(\\S+\\)\\n\\n.+`, "m"));
});

test("an installation runs scenarios, draws their page, and has the site", () => {
  const example = readdirSync(join(installed, "scenarios/limits")).toSorted()[0] ?? "none";
  const file = `node_modules/weir/scenarios/limits/${example}`;
  const output = run(project, "npx", "--no", "weir", "run", file, "--html", "page.html");
  expect(output).toMatch(/^[1-9]\d* passed, 0 failed, \d+ skipped$/m);
  expect(readFileSync(join(project, "page.html"), "utf8")).toContain("</html>");
  expect(run(project, weir, "bench", "--list")).toMatch(/^gateway {2}/m);
  run(project, weir, "site", "--out", "site");
  expect(readFileSync(join(project, "site/index.html"), "utf8")).toContain("</html>");
});

test("an installation offers questions, and answers them with the log that it has", () => {
  const { status, stderr } = spawnIn(project, "npx", ["--no", "weir"]);
  expect(status).toBe(2);
  const [, command = ""] = /^Which limit.* npx (weir recommend .*)$/m.exec(stderr) ?? [];
  const output = run(project, "npx", "--no", ...command.split(" "));
  expect(output).toMatch(/^Limit each client to \d+ per minute/);
  expect(output).toContain("node_modules/weir/samples/access.log.gz: combined, 2,103 lines");
});

test("a command names the packages that it needs and that are not installed", () => {
  // What only a checkout has is missing, and not broken.
  expect(spawnIn(project, weir, ["mutants"])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("they are not published") as string,
  });
  expect(spawnIn(project, weir, ["bench", "--quick"])).toMatchObject({
    status: 3,
    stderr: "weir bench: it needs the package autocannon: npm i autocannon\n",
  });
  expect(spawnIn(project, weir, ["replay", "--sql", "SELECT 1", "--limit", "1/1m"])).toMatchObject({
    status: 3,
    stderr:
      "weir replay: Parquet and --sql need the package @duckdb/node-api: npm i @duckdb/node-api\n",
  });
});

/** Packages whose code a process loads, by the comments that the bundler leaves above each module. */
const packagesIn = (files: Iterable<string>): ReadonlySet<string> =>
  new Set(
    [...files].flatMap((file) =>
      [
        ...readFileSync(file, "utf8").matchAll(/^\/\/ .*node_modules\/((?:@[^/]+\/)?[^/]+)\//gm),
      ].map(([, name = ""]) => name),
    ),
  );

test("a gateway is served, with the page of its management, by what it needs alone", async () => {
  const log = join(temporary, "loaded.txt");
  const hook = `import { registerHooks } from "node:module";
import { appendFileSync } from "node:fs";
registerHooks({ load: (url, context, next) => { appendFileSync(${JSON.stringify(log)}, url + "\\n"); return next(url, context); } });`;
  const record = join(temporary, "record.mjs");
  writeFileSync(record, hook);
  const served = mkdtempSync(join(temporary, "served-"));
  const script = join(installed, "dist/cli/weir.node.js");
  const child = spawn(process.execPath, ["--import", record, script, "serve"], {
    cwd: served,
    env: { ...shell, WEIR_LISTEN_PORT: "0", WEIR_ADMIN_PORT: "0" },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  });
  const addresses = await waitUntilReady(child);
  if (addresses === null) throw new Error("weir serve ended");
  const Authorization = "demo-key";
  const { status } = await fetch(new URL("/orders", addresses.gateway), {
    headers: { Authorization },
  });
  expect(status).toBe(200);
  const page = new URL("/studio/docs/static/swagger-ui.css", addresses.admin);
  expect(await (await fetch(page)).text()).toContain(".swagger-ui");

  const files = readFileSync(log, "utf8")
    .split("\n")
    .filter((url) => url.startsWith("file:") && url.includes("/dist/"))
    .map((url) => new URL(url).pathname);
  const loaded = packagesIn(files);
  expect(loaded).toContain("undici");
  expect(loaded).toContain("fastify");
  const all = packagesIn(
    readdirSync(join(installed, "dist/parts")).map((name) => join(installed, "dist/parts", name)),
  );
  for (const name of ["vega", "fast-check"]) {
    expect(all).toContain(name);
    expect(loaded).not.toContain(name);
  }
  expect(all).not.toContain("vega-lite"); // charts are compiled when the package is built
});

const page = readFileSync(join(root, "docs/reference/library.md"), "utf8");

/** The files of the page: each block of code begins with the name of its file. */
const files = [...page.matchAll(/^```ts\n\/\/ (\S+)\n([\s\S]*?)^```$/gm)].map(
  ([, name = "", text = ""]) => ({ name, text }),
);

/** Milliseconds differ from run to run. */
const withoutTimes = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !/^ *(?:RUN|Start at|Duration)\b/.test(line))
    .map((line) => line.replace(/ \d+ms$/, "").trimEnd())
    .join("\n")
    .trim();

test("the examples of the page on the library print what it shows", () => {
  addPackage("vitest");
  for (const { name, text } of files) writeFileSync(join(project, name), text);
  const sessions = sessionsOf(page);
  expect(sessions).toHaveLength(3);
  for (const { command, shown } of sessions) {
    const [program = "", ...args] = command.split(" ");
    expect([command, withoutTimes(run(project, program, ...args))]).toEqual([
      command,
      shown.join("\n"),
    ]);
  }
});

test.each(["nodenext", "bundler"])(
  "the types of each entry need no other types, with moduleResolution %s",
  (moduleResolution) => {
    const types = join(temporary, `types-${moduleResolution}`);
    mkdirSync(join(types, "node_modules"), { recursive: true });
    symlinkSync(installed, join(types, "node_modules/weir"));
    for (const { name, text } of files) writeFileSync(join(types, name), text);
    const wrong = `import { createRateLimiter } from "weir/core";
createRateLimiter({ algorithm: "none" }).decide("alice", 1);`;
    writeFileSync(join(types, "wrong.ts"), wrong);
    const compilerOptions = {
      module: moduleResolution === "nodenext" ? "nodenext" : "esnext",
      moduleResolution,
      target: "es2024",
      lib: ["es2024", "dom"],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      preserveSymlinks: true,
      noEmit: true,
    };
    writeFileSync(join(types, "package.json"), '{ "type": "module" }');
    writeFileSync(join(types, "tsconfig.json"), JSON.stringify({ compilerOptions }));
    const { stdout } = spawnIn(types, join(root, "node_modules/.bin/tsc"), []);
    expect(stdout.trim().split("\n")).toEqual([
      expect.stringMatching(/^wrong\.ts\(2,21\): error TS2322: .*"none"/) as string,
    ]);
  },
);

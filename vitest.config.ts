import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// On a build machine the counts are also saved as JSON, for the last line of .ci/run; the script names the file.
const REPORTERS = process.env["CI"] === undefined ? ["default"] : ["default", "json"];

// `npm run mutation` changes the code inside this process: tests that start the command would run it as
// it is. What runs longest comes last, because the first test that fails ends the run; with WEIR_QUICK it
// does not come at all, so that what only unit tests can tell is known early. WEIR_QUICK=check,world
// leaves it to the tests of those folders alone.
const isMutated = process.env["STRYKER_MUTATOR_WORKER"] !== undefined;
const quick = process.env["WEIR_QUICK"];
const QUICK = ["core", "algorithms", "reading", "world", "store", "gateway", "oracle", "check"];
const IN_PROCESS =
  quick === undefined
    ? [...QUICK, "sim", "properties"]
    : quick === "yes"
      ? QUICK
      : quick.split(",");
const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = IN_PROCESS.findIndex((name) => moduleId.includes(`/test/${name}/`));
  return place === -1 ? IN_PROCESS.length : place;
};

class QuickFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files.toSorted((one, other) => placeOf(one) - placeOf(other)));
  }
}

const mutated = {
  include: [
    ...IN_PROCESS.map((folder) => `test/${folder}/**/*.test.ts`),
    "test/requirements.test.ts",
    ...(quick === undefined ? ["test/suite.test.ts"] : []),
  ],
  // Neither looks at what a rule says: they ask whether anything stops, and what a store weighs.
  exclude: ["test/world/fuzz*.test.ts", "test/store/flood.test.ts", "test/sim/interleave*.test.ts"],
  // A property that needs all its runs to notice a change is outrun by a scenario.
  env: { WEIR_RUNS: "0.05", WEIR_ONCE: "yes" },
  setupFiles: "test/mutation-coverage.ts",
  sequence: { sequencer: QuickFirst },
};

const ALL = "test/**/*.test.ts";
const WHOLE = ["tidy", "suite", "pack", "properties/**/*"].map((name) => `test/${name}.test.ts`);
// What is measured there would be as slow as what runs beside it.
const MEASURING = "test/redis/**/*.test.ts";
// It takes a minute, and what it measures is noise beside anything else: `npm run stall`.
const STALLING = "test/stall/**/*.test.ts";
// Half a minute of computing, whose result only a change of the statistics or of the pools changes: `npm run power`.
const IN_FULL = "test/bench/against/power-in-full.test.ts";
// Another browser, which is not on every machine: `npm run firefox`.
const IN_FIREFOX = "test/firefox/**/*.test.ts";
// One browser, which takes all the cores that it can have.
const IN_BROWSER = "test/browser/**/*.test.ts";

// Long computations, which wait for nothing: they share the cores with the rest of the units after the servers' tests.
const COMPUTING = [
  "docs",
  "serving-page",
  "experiments/swarm/wrong-limiter",
  "experiments/mutants/scripts",
  "patterns/no-backtracking",
].map((name) => `test/${name}.test.ts`);

// What concerns upstreams, once more with the client that is not the default (test/gateway/http/wire.ts).
const AT_UPSTREAMS = [
  "at-upstream",
  "circuit",
  "no-upstream",
  "onward-headers",
  "several-upstreams",
  "under-load",
  "upstream-faults",
  "upstream-reloads",
].map((name) => `test/gateway/http/${name}.test.ts`);

// The longest begin first, or one core would wait for them at the end.
const LONGEST = ["experiments/worst/", "store/flood", "cli/", "management/"];
const turnOf = ({ moduleId, project }: TestSpecification): number => {
  if (project.name === "whole") return -1;
  const turn = LONGEST.findIndex((name) => moduleId.includes(`/test/${name}`));
  return turn === -1 ? LONGEST.length : turn;
};

class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files.toSorted((one, other) => turnOf(one) - turnOf(other)));
  }
}

// One more than cores: many tests wait for servers, time-outs or clocks.
const MOST_WORKERS = availableParallelism() + 1;

const project = (name: string, test: TestProjectInlineConfiguration["test"]) => ({
  extends: true as const,
  test: { name, maxWorkers: MOST_WORKERS, ...test },
});

const everything = {
  sequence: { sequencer: LongestFirst },
  // What a test starts finds its code compiled, with the types off.
  env: { NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache") },
  projects: [
    project("whole", { include: WHOLE }),
    project("units", {
      include: [ALL],
      exclude: [...WHOLE, ...COMPUTING, MEASURING, STALLING, IN_FULL, IN_BROWSER, IN_FIREFOX],
    }),
    project("undici", { include: AT_UPSTREAMS, env: { WEIR_CLIENT: "undici" } }),
    project("alone", { include: [MEASURING], maxWorkers: 1, sequence: { groupOrder: 1 } }),
    project("stall", { include: [STALLING], maxWorkers: 1, sequence: { groupOrder: 3 } }),
    project("firefox", { include: [IN_FIREFOX], maxWorkers: 1, sequence: { groupOrder: 6 } }),
    project("power", { include: [IN_FULL], sequence: { groupOrder: 5 } }),
    project("computing", { include: COMPUTING, sequence: { groupOrder: 4 } }),
    project("browser", {
      include: [IN_BROWSER],
      globalSetup: "test/browser/setup.ts",
      maxWorkers: 1,
      sequence: { groupOrder: 2 },
      // Seen once: a page in which nothing went on, while the pages before and after it were drawn.
      retry: { count: 1, condition: /the browser gives no frames|timed out in/ },
    }),
  ],
};

export default defineConfig({
  test: {
    // Only ends what hangs: many tests start servers or run a whole suite, and a busy machine is no failure.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
    // To start a process for each file, and to load there what others have loaded, takes longer than most of the
    // tests: what a file changes of a module's state it puts right again.
    isolate: false,
    // Modules are loaded as in a process of their own, by Node with the types off: it takes a sixth less processor time.
    experimental: { viteModuleRunner: false },
    reporters: REPORTERS,
    ...(isMutated ? mutated : everything),
  },
});

import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import {
  IN_POSTGRES,
  IN_POSTGRES_ALONE,
  LONGEST_FIRST,
  REST_FILES,
  REST_FOLDERS,
} from "./test/gate/jobs.ts";
import { FileProblems } from "./test/gate/reporter.ts";

// On a build machine the counts are also saved as JSON, for the last lines of .ci/run; the script names the file.
const REPORTERS = [
  "default",
  new FileProblems(),
  ...(process.env["CI"] === undefined ? [] : ["json"]),
];

// `npm run mutation` changes the code inside this process: tests that start the command would run it as
// it is. What runs longest comes last, because the first test that fails ends the run; with WEIR_QUICK it
// does not come at all, so that what only unit tests can tell is known early. WEIR_QUICK=check,world
// leaves it to the tests of those folders alone.
const isMutated = process.env["STRYKER_MUTATOR_WORKER"] !== undefined;
const quick = process.env["WEIR_QUICK"];
const QUICK = [
  "limiter/core",
  "limiter/algorithms",
  "kit/reading",
  "limiter/world",
  "limiter/store",
  "gateway",
  "lab/oracle",
  "lab/check",
];
const IN_PROCESS =
  quick === undefined
    ? [...QUICK, "lab/sim", "properties"]
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

const SUITE_IN_PROCESS = "test/suite-in-process.test.ts";

const mutated = {
  include: [
    ...IN_PROCESS.map((folder) => `test/${folder}/**/*.test.ts`),
    "test/requirements.test.ts",
    ...(quick === undefined ? [SUITE_IN_PROCESS] : []),
  ],
  // Neither looks at what a rule says: they ask whether anything stops, and what a store weighs.
  exclude: [
    "test/limiter/world/fuzz*.test.ts",
    "test/limiter/store/flood.test.ts",
    "test/lab/sim/interleave*.test.ts",
  ],
  // A property that needs all its runs to notice a change is outrun by a scenario.
  env: { WEIR_RUNS: "0.05" },
  setupFiles: "test/mutation-coverage.ts",
  sequence: { sequencer: QuickFirst },
};

const ALL = "test/**/*.test.ts";
const filesIn = (folders: readonly string[]): string[] =>
  folders.map((folder) => `test/${folder}/**/*.test.ts`);

// Each by a command of its own: npm run stall, npm run firefox, npm run power, npm run shipped.
const BY_COMMAND = {
  shipped: "test/shipped/**/*.test.ts",
  stall: "test/stall/**/*.test.ts",
  firefox: "test/firefox/**/*.test.ts",
  power: "test/studies/bench/against/power-in-full.test.ts",
};
// One browser, which takes all the cores that it can have.
const IN_BROWSER = "test/browser/**/*.test.ts";
// Outages of real servers under load: beside other tests of their kind they would measure each other.
const ALONE = "test/redis/**/*.test.ts";

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
const turnOf = ({ moduleId }: TestSpecification): number => {
  const turn = LONGEST_FIRST.findIndex((name) => moduleId.includes(`/test/${name}`));
  return turn === -1 ? LONGEST_FIRST.length : turn;
};

class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files.toSorted((one, other) => turnOf(one) - turnOf(other)));
  }
}

// Two more than cores: many tests wait for servers, time-outs or clocks. Two cores were idle for 13 % of the time with three.
const MOST_WORKERS = availableParallelism() + 2;

const project = (name: string, test: TestProjectInlineConfiguration["test"]) => ({
  extends: true as const,
  test: {
    name,
    maxWorkers: MOST_WORKERS,
    setupFiles: ["test/gate/own-time.ts", "test/gate/built-threads.ts"],
    ...test,
  },
});

const everything = {
  sequence: { sequencer: LongestFirst },
  // What a test starts finds its code compiled, with the types off.
  env: { NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache") },
  projects: [
    // npm test
    project("quick", {
      include: [ALL],
      exclude: [
        ...filesIn(REST_FOLDERS),
        ...REST_FILES,
        ...IN_POSTGRES_ALONE,
        ...Object.values(BY_COMMAND),
        SUITE_IN_PROCESS,
      ],
    }),
    // npm run test:rest
    project("rest", {
      include: [...filesIn(REST_FOLDERS), ...REST_FILES],
      exclude: [IN_BROWSER, ALONE, ...Object.values(BY_COMMAND)],
    }),
    project("postgres", {
      include: [...IN_POSTGRES],
      env: { WEIR_RECORDS: "postgres" },
    }),
    project("undici", {
      include: AT_UPSTREAMS,
      env: { WEIR_CLIENT: "undici" },
    }),
    project("alone", { include: [ALONE], maxWorkers: 1, sequence: { groupOrder: 1 } }),
    project("browser", {
      include: [IN_BROWSER],
      globalSetup: "test/browser/setup.ts",
      maxWorkers: 1,
      sequence: { groupOrder: 2 },
      // Seen once: a page in which nothing went on, while the pages before and after it were drawn.
      retry: { count: 1, condition: /the browser gives no frames|timed out in/ },
    }),
    ...Object.entries(BY_COMMAND).map(([name, include], index) =>
      project(name, { include: [include], maxWorkers: 1, sequence: { groupOrder: 5 + index } }),
    ),
  ],
};

export default defineConfig({
  test: {
    // A test that takes longer hangs (test/gate/own-time.ts has the exceptions): it fails within a minute, with its name.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 50_000, interval: 20 } },
    // To start a process for each file, and to load there what others have loaded, takes longer than most of the
    // tests: what a file changes of a module's state it puts right again.
    isolate: false,
    // Modules are loaded as in a process of their own, by Node with the types off: it takes a sixth less processor time.
    experimental: { viteModuleRunner: false },
    reporters: REPORTERS,
    ...(isMutated ? mutated : everything),
  },
});

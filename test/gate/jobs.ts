// Which test files `npm test` runs at every commit, and which `npm run test:rest` runs before a merge. docs/decisions/046-fixed-seeds-decide.md has
// the reasons.

/** What a test file of `npm test` may take of its own: seconds of computing, and of waiting while the machine is idle. */
export const LONGEST_QUICK_FILE_S = 6;

/** A busy machine computes up to twice as long for the same: a file over the bound is named, and fails from here on. */
export const FAILS_AT = 2 * LONGEST_QUICK_FILE_S;

/** The file of `npm test` that may take longer: outside of .ci/run, it runs the whole suite in a process of its own. */
export const LONG_QUICK_FILE = "test/suite.test.ts";

export interface LongFile {
  readonly seconds: number;
  readonly why: string;
}

/** A test that takes longer hangs, and fails with its name. */
export const LONGEST_TEST_S = 60;

/** Folders below test/ whose tests need a browser, servers of their own under load, or minutes. */
export const REST_FOLDERS: readonly string[] = ["browser", "studies/queue", "redis"];

/** Patterns of files elsewhere that start processes, or take longer than LONGEST_QUICK_FILE_S. */
export const REST_FILES: readonly string[] = [
  "action",
  "studies/bench/controls",
  "studies/bench/load/senders",
  "studies/bench/measure-load",
  "studies/bench/of-others",
  "studies/bench/parts/run-parts",
  "studies/bench/truth-run",
  "lab/check/late-suite",
  "lab/check/long-runs",
  "cli/{inconclusive-list,log-page,replay-inputs,replay-rows,stored-history,try}",
  "cli/bench{,-against,-parts}",
  "cli/html-files",
  "cli/implementations{,-prove}",
  "cli/interrupt",
  "cli/{new,output-place,swarm,usage}",
  "cli/live",
  "cli/mutants",
  "cli/open",
  "cli/pareto",
  "cli/re{cords,commend-files,ference}",
  "cli/rotation",
  "cli/run{,-store}",
  "cli/serve{,-*}",
  "cli/site",
  "cli/webhooks",
  "docs",
  "lab/drivers/{decide,embedded,gateways-of-others,own-store,redis}",
  "studies/implementations/{configurations,server-of-your-own}",
  "studies/mutants/{compiled,scripts,try-all}",
  "studies/swarm/wrong-limiter",
  "studies/worst/worst",
  "gateway/http/fuzzing/fuzzing",
  "gateway/http/heartbeats",
  "studies/identify/{bad-targets,caps,identify,recorded-limits,self-check,small-servers,special}",
  "lab/implementations/{excerpts,lines,odd-requests,serve,store-of-its-own,translators,{envoy,haproxy}/real}",
  "library/vitest",
  "studies/lint/real-servers",
  "gateway/management/{bounded-bodies,long-lists,several-gateways}",
  "gateway/management/events/killed",
  "gateway/management/records/{earlier-version,sqlite}",
  "pack",
  "patterns/no-backtracking",
  "show/answers/identify",
  "show/log-pages/{peaks,size}",
  "lab/oracle/settled",
  "properties/{as-scenario,redis}",
  "studies/recommend/recommend",
  "studies/replay/{fleet,log-threads}",
  "regression/{planted,regression}",
  "lab/run/run-threads",
  "lab/scenario/fuzz",
  "serving-page",
  "gateway/serving/{keys-in-pieces,open-world,workers}",
  "lab/sim/measured-costs",
  "limiter/store/{flood,redis-places}",
].map((name) => `test/${name}.test.ts`);

/** Files whose records are in PostgreSQL too, in the longer job: they test SQL of its own, or what it keeps in its files. */
export const IN_POSTGRES: readonly string[] = [
  "damaged",
  "events/every-database",
  "hanging-database",
  "records/killed",
  "records/postgres",
  "records/postgres-pool",
  "records/records",
  "records/searches",
  "records/versions-and-changes",
  "secrets/at-rest",
  "secrets/rotation",
].map((name) => `test/gateway/management/${name}.test.ts`);

/** Those that have no tests without it. */
export const IN_POSTGRES_ALONE = IN_POSTGRES.filter((file) =>
  /(hanging-database|postgres|postgres-pool)\.test\.ts$/.test(file),
);

/** What begins first of a job, or one core would wait for it at its end. */
export const LONGEST_FIRST: readonly string[] = [
  "studies/identify/small-servers", // these three wait for minutes
  "studies/identify/self-check",
  "studies/identify/caps",
  "suite.test",
  "docs.test",
  "pack.test",
  "tidy",
  "gateway/http/heartbeats",
  "regression/planted",
  "studies/mutants/scripts",
  "properties/",
  "studies/worst/",
  "limiter/store/flood",
  "cli/",
  "gateway/management/",
];

/** Files with a test or a hook that may take longer than LONGEST_TEST_S. */
export const LONG_TESTS: ReadonlyMap<string, LongFile> = new Map([
  [
    "test/browser/same-bytes.test.ts",
    { seconds: 300, why: "runs the whole suite in one thread of a page" },
  ],
  ["test/cli/bench-against.test.ts", { seconds: 180, why: "measures pairs of gateways" }],
  ["test/studies/bench/truth-run.test.ts", { seconds: 180, why: "measures gateways in real time" }],
  ["test/cli/implementations.test.ts", { seconds: 180, why: "repeats a run in real time" }],
  [
    "test/studies/mutants/scripts.test.ts",
    { seconds: 300, why: "tries every mutant of the scripts in one test" },
  ],
  [
    "test/studies/swarm/wrong-limiter.test.ts",
    { seconds: 180, why: "searches, reduces and runs again what a command finds" },
  ],
  [
    "test/studies/identify/self-check.test.ts",
    { seconds: 300, why: "identifies dozens of limits" },
  ],
  [
    "test/studies/identify/small-servers.test.ts",
    { seconds: 480, why: "waits in real time for the limits of small servers" },
  ],
  ["test/shipped/image.test.ts", { seconds: 900, why: "downloads the packages of a base image" }],
  ["test/shipped/one-file.test.ts", { seconds: 180, why: "starts on a machine with other load" }],
  ["test/pack.test.ts", { seconds: 300, why: "packs and installs the package before its tests" }],
]);

export interface AllowedSkip {
  readonly file: string;
  readonly title: string; // a part of the title of the tests
  readonly why: string;
}

/** Tests that are skipped even where every program is installed. */
export const ALLOWED_SKIPS: readonly AllowedSkip[] = [
  {
    file: "test/gateway/management/records/records.test.ts",
    title: "in memory",
    why: "records in memory retain no history",
  },
  {
    file: "test/gateway/management/records/versions-and-changes.test.ts",
    title: "in memory",
    why: "records in memory have no second connection",
  },
  {
    file: "test/lab/implementations/translators.test.ts",
    title: "accepts the generated configuration > envoy",
    why: "Envoy has 107 MB, so .ci/run does not install it",
  },
  {
    file: "test/lab/implementations/envoy/real.test.ts",
    title: "",
    why: "Envoy has 107 MB, so .ci/run does not install it",
  },
  // What .ci/run does not install is proved by hand: weir implementations install NAME, then prove NAME --configurations.
  ...[
    ["varnish", "Varnish needs a C compiler for each configuration"],
    ["envoy", "Envoy has 107 MB"],
    ["envoy-ratelimit", "the service is built by Go"],
    ["spring-cloud-gateway", "Spring Cloud Gateway is built by Maven"],
  ].map(([name, why]) => ({
    file: "test/studies/implementations/configurations.test.ts",
    title: `${name} decides as the rules that its reader finds`,
    why: `${why}, so .ci/run does not install it`,
  })),
];

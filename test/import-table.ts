// Which room of src may import which, and which packages. This is the table of ARCHITECTURE.md.

export interface Allowed {
  /** Rooms or modules of `src/`; `type x` allows only `import type` of x. A room does not cover the rooms inside it. */
  readonly ours: readonly string[] | "anything";
  readonly packages: readonly string[] | "anything";
}

/** The imports that are allowed. `test/tidy.ts` enforces it, and nothing else does. */
export const importTable: Readonly<Record<string, Allowed>> = {
  core: { ours: [], packages: [] },
  // The parts of the folder of an algorithm are on different floors.
  "algorithms/NAME/stamps": { ours: [], packages: [] },
  "algorithms/NAME/rule": {
    ours: ["core/limit", "core/units", "type core/numbered-requests", "algorithms/NAME/stamps"],
    packages: [],
  },
  "algorithms/NAME/memory": {
    ours: ["core", "store", "algorithms/NAME/rule", "algorithms/NAME/stamps"],
    packages: [],
  },
  spec: { ours: [], packages: [] },
  reading: { ours: ["core/units"], packages: ["yaml"] },
  world: { ours: ["core", "reading", "spec"], packages: [] },
  chance: { ours: ["core/units"], packages: [] },
  stats: { ours: ["chance"], packages: ["simple-statistics"] },
  store: {
    ours: [
      "core",
      "reading/failure",
      "algorithms/NAME/rule",
      "algorithms/NAME/stamps",
      "algorithms/NAME/memory",
    ],
    packages: ["ioredis"],
  },
  gateway: { ours: ["core"], packages: [] },
  management: {
    ours: ["core", "world", "reading", "gateway/without-credentials"],
    packages: ["zod", "kysely", "pg"],
  },
  scenario: { ours: ["core", "chance", "world", "reading", "spec"], packages: [] },
  // The simulator runs the gateway's own handle on the memory store.
  sim: {
    ours: [
      "core",
      "chance",
      "store",
      "algorithms/NAME/stamps",
      "gateway",
      "type scenario",
      "scenario/flows",
      "scenario/history",
    ],
    packages: [],
  },
  // The oracle shares no rule with the code it checks, and does not read configurations.
  oracle: {
    ours: [
      "type scenario",
      "scenario/history",
      "scenario/after-calls",
      "type reading",
      "spec",
      "core/units",
    ],
    packages: [],
  },
  check: {
    ours: ["scenario", "reading", "oracle", "spec", "core/units", "core/limit", "core/events"],
    packages: [],
  },
  experiments: { ours: [], packages: [] },
  "experiments/mutants": {
    ours: ["core", "chance", "world", "store", "scenario", "check", "drivers", "experiments"],
    packages: ["acorn"],
  },
  // Generates worlds, runs them and checks them: the whole flow, as often as needed.
  "experiments/swarm": {
    ours: ["core", "reading", "scenario", "check", "spec", "drivers", "experiments"],
    packages: ["fast-check", "yaml"],
  },
  // Runs behaviours on limiters of others, and reduces what contradicts their documentation.
  "experiments/implementations": {
    ours: [
      "core",
      "reading",
      "scenario",
      "drivers",
      "implementations",
      "run",
      "experiments/pool.node",
      "experiments/swarm",
      "type report",
      "report/command-line",
    ],
    packages: ["yaml", "zod"],
  },
  // Runs one pattern of arrivals after the other and counts as the checks do.
  "experiments/worst": {
    ours: ["core", "chance", "reading", "spec", "scenario", "check", "drivers", "experiments"],
    packages: [],
  },
  // Runs one scenario for traffic in words, and measures what each limit did with it.
  "experiments/try": {
    ours: [
      "core",
      "chance",
      "reading/legible",
      "scenario",
      "check",
      "drivers",
      "replay/candidates",
      "replay/retries",
      "replay/table",
      "experiments/pool.node",
      "type report",
      "type sim/recorder",
    ],
    packages: ["zod"],
  },
  // Measures served gateways under load, and reports whether two results differ.
  bench: {
    // The content of a report page is built here; its layout is not.
    ours: [
      "core",
      "chance",
      "stats",
      "reading",
      "store",
      "drivers",
      "implementations",
      "world",
      "serving/ready.node",
      "type report",
    ],
    packages: [
      "autocannon",
      "hdr-histogram-js",
      "ioredis",
      "simple-statistics",
      "undici",
      "zod",
      "fastify",
      "@fastify/http-proxy",
      "@fastify/rate-limit",
      "express",
      "express-rate-limit",
      "http-proxy-middleware",
    ],
  },
  // What accuracy costs: thousands of small runs in virtual time.
  "experiments/pareto": {
    ours: [
      "core",
      "chance",
      "reading/failure",
      "reading/legible",
      "stats",
      "scenario",
      "check",
      "drivers",
      "sim",
      "experiments",
      "type report",
    ],
    packages: [],
  },
  report: {
    ours: ["check", "scenario", "reading", "spec", "core/units"],
    packages: ["vega", "vega-lite", "zod"],
  },
  // What a report becomes: a page, with a script that draws.
  "report/page": { ours: ["report"], packages: ["vega", "vega-interpreter", "rolldown"] },
  // How the process runs, and the file with the configuration: read as scenario files are read.
  settings: { ours: ["core", "world", "reading", "store"], packages: [] },
  "gateway/upstream": { ours: ["reading/failure"], packages: [] },
  // The sockets of a gateway and of its management.
  "gateway/http": {
    ours: ["core", "reading/failure", "world/target", "gateway", "gateway/upstream", "store"],
    packages: ["undici", "prom-client", "pino"],
  },
  "management/http": {
    ours: ["core", "reading", "gateway", "gateway/http", "management", "store"],
    packages: ["undici", "fastify", "@fastify/swagger", "@fastify/swagger-ui", "zod"],
  },
  serving: {
    ours: [
      "core",
      "reading",
      "gateway",
      "gateway/http",
      "management",
      "management/http",
      "store",
      "settings",
    ],
    packages: [],
  },
  drivers: {
    ours: [
      "core",
      "chance",
      "reading",
      "scenario",
      "sim",
      "store",
      "gateway",
      "management",
      "gateway/http",
      "management/http",
      "implementations",
    ],
    packages: [],
  },
  // Limiters of others: their manifests, what translates a world for them, and how they are installed and started.
  implementations: {
    ours: ["core", "reading", "world", "spec/profiles", "type scenario"],
    packages: [],
  },
  // The whole flow, from the text of scenarios to verdicts.
  run: {
    ours: [
      "scenario",
      "reading",
      "core",
      "check",
      "oracle",
      "drivers",
      "gateway/http",
      "report",
      "implementations",
      "spec/by-algorithm",
      "experiments/pool.node",
    ],
    packages: [],
  },
  // The package's entries for programs.
  library: {
    ours: ["core", "store", "world", "reading", "scenario", "drivers", "run", "report"],
    packages: ["vitest"],
  },
  // Headers of limits: what they advertise, and whether it is true.
  "limit-headers": { ours: [], packages: [] },
  // Probes a server, and reports on its headers.
  lint: {
    ours: ["limit-headers", "reading", "type report"],
    packages: ["zod"],
  },
  // Finds out from outside how a limit decides: the core decides the same requests again.
  identify: {
    ours: [
      "core",
      "chance",
      "store",
      "world",
      "limit-headers",
      "lint/exchange.node",
      "experiments/pool.node",
      "reading",
      "scenario/read",
      "sim/event-queue",
      "spec/profiles",
      "implementations",
      "drivers",
      "type report",
    ],
    packages: ["zod"],
  },
  // Decides the requests of access logs by the limiter that gateways have.
  replay: {
    ours: [
      "core",
      "chance",
      "store",
      "gateway",
      "reading",
      "type scenario",
      "sim/clients",
      "sim/event-queue",
      "sim/token-clients",
      "type report",
    ],
    packages: ["zod", "@duckdb/node-api"],
  },
  // Searches limits for the traffic of access logs.
  recommend: {
    ours: ["core", "chance", "stats", "spec", "world", "reading", "replay", "type report"],
    packages: ["zod"],
  },
  // What pages of logs have: columns for charts that follow their readers, and both results as content of a page.
  "log-page": {
    ours: ["core/units", "reading", "replay", "recommend", "type report"],
    packages: [],
  },
  // The site: the flow of a run without files and threads, and pages around it.
  site: {
    ours: [
      "core",
      "reading",
      "scenario",
      "check",
      "drivers",
      "run",
      "report",
      "report/page",
      "spec",
      "experiments/try",
      "experiments/implementations",
      "implementations",
      "sim",
      "replay",
      "log-page",
      "world/options",
    ],
    packages: ["rolldown", "marked", "zod"],
  },
  // What runs in its pages.
  "site/script": {
    ours: ["core", "reading", "report", "report/page", "replay/text", "site"],
    packages: [
      "@codemirror/autocomplete",
      "@codemirror/commands",
      "@codemirror/lang-yaml",
      "@codemirror/language",
      "@codemirror/lint",
      "@codemirror/state",
      "@codemirror/view",
      "@lezer/highlight",
      "minisearch",
    ],
  },
  // Shares the pieces of a sweep out to other machines.
  queue: {
    ours: ["experiments/pool.node", "reading/failure", "store/redis-address"],
    packages: ["bullmq", "ioredis", "zod"],
  },
  cli: { ours: "anything", packages: "anything" },
};

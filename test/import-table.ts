// Which wing of src may import which, and which room of a wing may import which of its rooms, and which packages. The
// tables of ARCHITECTURE.md and of each wing's README.md are these.

/** Each wing, and the wings that it may import. */
export const WINGS: Readonly<Record<string, readonly string[]>> = {
  kit: [],
  limiter: ["kit"],
  gateway: ["kit", "limiter"],
  lab: ["kit", "limiter", "gateway"],
  studies: ["kit", "limiter", "gateway", "lab"],
  show: ["kit", "limiter", "lab", "studies"],
  library: ["kit", "limiter", "lab", "show"],
  cli: ["kit", "limiter", "gateway", "lab", "studies", "show"],
};

export interface Room {
  /** Rooms or modules of its wing; `type x` allows only `import type` of x. A room does not cover the rooms inside it. */
  readonly ours: readonly string[];
  readonly packages: readonly string[] | "anything";
  /** What it may import of other wings, where that is less than its wing may. */
  readonly others?: readonly string[];
}

/** Every room, by its folder below src. `test/tidy.ts` enforces the tables, and nothing else does. */
export const ROOMS: Readonly<Record<string, Room>> = {
  kit: { ours: [], packages: [] },
  "kit/reading": { ours: ["kit"], packages: ["yaml"] },
  "kit/chance": { ours: ["kit"], packages: [] },
  "kit/stats": { ours: ["kit/chance"], packages: ["simple-statistics"] },

  "limiter/core": { ours: [], packages: [], others: ["kit/units"] },
  // The parts of the folder of an algorithm are on different floors.
  "limiter/algorithms/NAME/stamps": { ours: [], packages: [], others: [] },
  "limiter/algorithms/NAME/rule": {
    ours: [
      "limiter/core/limit",
      "type limiter/core/numbered-requests",
      "limiter/algorithms/NAME/stamps",
    ],
    packages: [],
    others: ["kit/units"],
  },
  "limiter/algorithms/NAME/memory": {
    ours: [
      "limiter/core",
      "limiter/store",
      "limiter/algorithms/NAME/rule",
      "limiter/algorithms/NAME/stamps",
    ],
    packages: [],
    others: ["kit/units"],
  },
  "limiter/spec": { ours: [], packages: [], others: [] },
  "limiter/store": {
    ours: [
      "limiter/core",
      "limiter/algorithms/NAME/rule",
      "limiter/algorithms/NAME/stamps",
      "limiter/algorithms/NAME/memory",
    ],
    packages: ["ioredis"],
  },
  "limiter/world": { ours: ["limiter/core", "limiter/spec"], packages: [] },
  "limiter/limit-headers": { ours: [], packages: [], others: [] },

  gateway: { ours: [], packages: [] },
  "gateway/upstream": { ours: [], packages: [] },
  "gateway/http": {
    ours: ["gateway", "gateway/upstream"],
    packages: ["undici", "prom-client", "pino"],
  },
  "gateway/management": {
    ours: ["gateway/without-credentials"],
    packages: ["zod", "kysely", "pg"],
  },
  "gateway/management/http": {
    ours: ["gateway", "gateway/http", "gateway/management"],
    packages: ["undici", "fastify", "@fastify/swagger", "@fastify/swagger-ui", "zod"],
  },
  "gateway/settings": { ours: [], packages: [] },
  "gateway/serving": {
    ours: [
      "gateway",
      "gateway/http",
      "gateway/management",
      "gateway/management/http",
      "gateway/settings",
    ],
    packages: [],
  },

  "lab/scenario": { ours: ["type lab/implementations"], packages: [] },
  // The simulator runs the gateway's own handle on the memory store.
  "lab/sim": {
    ours: [
      "type lab/scenario",
      "lab/scenario/flows",
      "lab/scenario/history",
      "type lab/implementations",
      "lab/implementations/started-rules",
    ],
    packages: [],
  },
  // Configurations of other programs in YAML have anchors and several documents, which kit/reading rejects.
  "lab/implementations": { ours: ["type lab/scenario"], packages: ["yaml"] },
  "lab/drivers": { ours: ["lab/scenario", "lab/sim", "lab/implementations"], packages: [] },
  // The oracle shares no rule with the code it checks, and does not read configurations.
  "lab/oracle": {
    ours: ["type lab/scenario", "lab/scenario/history", "lab/scenario/after-calls"],
    packages: [],
    others: ["kit/units", "type kit/reading", "limiter/spec"],
  },
  // A check never runs anything.
  "lab/check": {
    ours: ["lab/scenario", "lab/oracle"],
    packages: [],
    others: ["kit", "kit/reading", "limiter/spec", "limiter/core/limit", "limiter/core/events"],
  },
  "lab/report": {
    ours: ["lab/scenario", "lab/check"],
    packages: ["zod"],
    others: ["kit", "kit/reading", "limiter/spec"],
  },
  "lab/run": {
    ours: [
      "lab/scenario",
      "lab/drivers",
      "lab/implementations",
      "lab/oracle",
      "lab/check",
      "lab/report",
    ],
    packages: [],
  },

  "studies/swarm": { ours: [], packages: ["fast-check", "yaml"] },
  "studies/mutants": { ours: [], packages: ["acorn"] },
  "studies/worst": { ours: [], packages: ["zod"] },
  "studies/pareto": { ours: [], packages: ["zod"] },
  "studies/implementations": {
    ours: ["studies/swarm"],
    packages: ["yaml", "zod"],
  },
  "studies/replay": { ours: [], packages: ["zod", "@duckdb/node-api"] },
  "studies/diff": { ours: ["studies/replay", "studies/recommend/advice"], packages: ["zod"] },
  "studies/recommend": { ours: ["studies/replay"], packages: ["zod"] },
  "studies/try": {
    ours: ["studies/replay/candidates", "studies/replay/choices", "studies/replay/rules"],
    packages: ["zod"],
  },
  "studies/lint": { ours: [], packages: ["zod"] },
  "studies/identify": { ours: ["studies/lint/exchange.node"], packages: ["zod"] },
  "studies/queue": { ours: [], packages: ["bullmq", "ioredis", "zod"] },
  "studies/bench": {
    ours: [],
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

  // What people look at: it draws what the lab and the studies found, and finds nothing itself.
  show: {
    ours: [],
    packages: ["vega", "vega-lite", "zod"],
    others: ["kit", "kit/reading", "limiter/spec", "lab/check", "lab/scenario", "lab/report"],
  },
  "show/page": { ours: ["show"], packages: ["vega", "vega-interpreter", "rolldown"] },
  // Sentences from the documents of studies and of runs: pure, so that every output has the same ones.
  "show/answers": { ours: [], packages: [] },
  "show/log-pages": { ours: ["show/answers"], packages: [] },
  "show/site": {
    ours: ["show", "show/page", "show/answers", "show/log-pages"],
    packages: ["rolldown", "marked", "minisearch", "zod"],
  },
  "show/site/script": {
    ours: ["show", "show/page", "show/site"],
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

  library: { ours: [], packages: ["vitest"] },
  cli: { ours: [], packages: "anything" },
};

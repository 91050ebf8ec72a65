// What each command does, loaded only when it is done: help is there at once.
import type { Action } from "./arguments.ts";

export const ACTIONS: Readonly<Record<string, () => Promise<Action>>> = {
  run: async () => (await import("./run.node.ts")).run,
  check: async () => (await import("./check.node.ts")).check,
  list: async () => (await import("./list.node.ts")).list,
  explain: async () => (await import("./explain.node.ts")).explain,
  report: async () => (await import("./report.node.ts")).report,
  mutants: async () => (await import("./mutants.node.ts")).mutants,
  worst: async () => (await import("./worst.node.ts")).worstCase,
  bench: async () => (await import("./bench.node.ts")).bench,
  compare: async () => (await import("./compare.node.ts")).compareRuns,
  pareto: async () => (await import("./pareto.node.ts")).pareto,
  lint: async () => (await import("./lint.node.ts")).lint,
  implementations: async () => (await import("./implementations.node.ts")).implementations,
  serve: async () => (await import("./serve.node.ts")).serve,
  config: async () => (await import("./config.node.ts")).config,
  import: async () => (await import("./import.node.ts")).importFile,
  export: async () => (await import("./export.node.ts")).exportRecords,
  audit: async () => (await import("./audit.node.ts")).audit,
  secrets: async () => (await import("./secrets.node.ts")).secrets,
  tokens: async () => (await import("./tokens.node.ts")).tokens,
  webhooks: async () => (await import("./webhooks.node.ts")).webhooks,
  new: async () => (await import("./new.node.ts")).newScenario,
  schema: async () => (await import("./schema.node.ts")).schema,
  completion: async () => (await import("./completion.node.ts")).completion,
  version: async () => (await import("./version.node.ts")).version,
};

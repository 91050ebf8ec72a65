// Words for metrics in sentences and tables. The names themselves are for programs and flags.
import { casesOf, metricOf, type BenchResult } from "./result.ts";
import type { BenchMetricName } from "./suite.ts";

const WORDS: Readonly<Record<BenchMetricName, string>> = {
  cpu: "processor time of a request",
  throughput: "answers a second",
  p50: "median latency",
  p99: "p99 of latency",
  p99_admitted: "p99 of admitted requests",
  p99_refused: "p99 of refused requests",
  refused: "share of refusals",
  dropped: "share of arrivals never sent",
  late: "p99 of the delay of sending",
  cpu_store: "processor time of the store for a request",
  cpu_load: "processor time of the load generator for a request",
  rss: "memory of the gateway",
  survived: "long-lived memory of a request",
  loop_p99: "p99 of the event loop's delay",
  gc: "time of garbage collection",
  redis_commands: "commands of Redis for a request",
  redis_usec: "time of Redis for a command",
  redis_network: "bytes to and from Redis for a request",
  redis_memory: "memory of Redis",
  entries: "entries in the store for a key",
  bytes: "bytes in Redis for a key",
};

/** Where a row of a table has no room for these words. */
const SHORT: Readonly<Partial<Record<BenchMetricName, string>>> = {
  cpu: "processor time",
  cpu_store: "time of the store",
  cpu_load: "time of the load",
  survived: "long-lived memory",
  gc: "garbage collection",
  redis_commands: "Redis commands",
  redis_usec: "Redis time",
  redis_network: "Redis network",
};

/** Words for each case of a suite of parts, by its name. */
export type CaseWords = Readonly<Record<string, string>>;

/** Null for a suite of gateways, whose metrics have fixed words. */
export function caseWordsOf(result: Pick<BenchResult, "metrics">): CaseWords | null {
  const cases = casesOf(result);
  return cases.length === 0
    ? null
    : Object.fromEntries(cases.map((name) => [name, metricOf(result, name).about]));
}

/** A document of an older Weir may have a metric without words. */
export const metricWords = (metric: string, cases: CaseWords = {}): string =>
  cases[metric] ?? (WORDS as CaseWords)[metric] ?? metric;

/** The same for a row of a table. */
export const shortMetricWords = (metric: string, cases?: CaseWords): string =>
  (SHORT as CaseWords)[metric] ?? metricWords(metric, cases);

// The resource usage of a repeat, and the metrics of a suite that follow from it.
import type { LoadFigures, Quantiles } from "../load/load.ts";
import type { BenchMetricName } from "../suite.ts";
import type { BudgetFootprint, RedisUsage } from "./redis-info.ts";
import type { ProcessFigures } from "./process-figures.ts";

/** A line of the raw samples with the usage of all processes. */
export interface ProcessesSample {
  readonly what: "processes";
  readonly atUs: number; // since `watch` was called
  readonly gateway: ProcessFigures | null;
  readonly load: ProcessFigures | null;
}

/** A field is null if the server has no such value or the system does not report it. */
export interface RepeatUsage {
  readonly tookUs: number;
  readonly gatewayCpuUs: number | null;
  readonly loadCpuUs: number | null;
  readonly rssBytes: number | null; // the highest of the gateway's readings
  readonly loopP99Ms: number | null;
  readonly gcUs: number | null;
  readonly survivorBytes: number | null;
  readonly memory: { readonly budgets: number; readonly entries: number } | null;
  readonly redis:
    | (RedisUsage & { readonly usedMemory: number; readonly footprint: BudgetFootprint | null })
    | null;
}

const MIB = 2 ** 20;

/** The metrics of a repeat, without unknown values and without ratios whose divisor is zero. */
export function metricsOf(
  load: LoadFigures,
  used: RepeatUsage,
): Readonly<Partial<Record<BenchMetricName, number>>> {
  const { answers, latency, sending } = load;
  const each = (of: number | null | undefined): number | null =>
    of == null || answers === 0 ? null : of / answers;
  const ms = (quantiles: Quantiles | null | undefined, of: "p50Us" | "p99Us"): number | null =>
    quantiles == null ? null : quantiles[of] / 1_000;
  const { redis, memory } = used;
  const all: Readonly<Record<BenchMetricName, number | null>> = {
    cpu: each(used.gatewayCpuUs),
    throughput: load.tookUs === 0 ? null : (answers / load.tookUs) * 1e6,
    p50: ms(latency.all, "p50Us"),
    p99: ms(latency.all, "p99Us"),
    p99_admitted: ms(latency.admitted, "p99Us"),
    p99_refused: ms(latency.refused, "p99Us"),
    refused: each((load.statuses["429"] ?? 0) * 100),
    dropped:
      sending === null || sending.planned === 0 ? null : (sending.dropped / sending.planned) * 100,
    late: ms(sending?.late, "p99Us"),
    cpu_store: each(redis?.cpuUs),
    cpu_load: each(load.cpuUs),
    rss: used.rssBytes === null ? null : used.rssBytes / MIB,
    survived: each(used.survivorBytes),
    loop_p99: used.loopP99Ms,
    gc: used.gcUs === null || used.tookUs === 0 ? null : (used.gcUs / used.tookUs) * 100,
    redis_commands: each(redis?.calls),
    redis_usec: redis === null || redis.sent.count === 0 ? null : redis.sent.us / redis.sent.count,
    redis_network: each(redis?.networkBytes),
    redis_memory: redis === null ? null : redis.usedMemory / MIB,
    entries:
      redis?.footprint?.entries ??
      (memory === null || memory.budgets === 0 ? null : memory.entries / memory.budgets),
    bytes: redis?.footprint?.bytes ?? null,
  };
  return Object.fromEntries(Object.entries(all).filter((one) => one[1] !== null));
}

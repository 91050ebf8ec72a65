// Prometheus metrics of a gateway. Requests only add to numbers; all other work is done when metrics are read.
import { PerformanceObserver } from "node:perf_hooks";
import { AggregatorRegistry, collectDefaultMetrics, Registry, type Metric } from "prom-client";
import { gatewaysAt } from "../../limiter/core/limiter.ts";
import type { LimiterEvent } from "../../limiter/core/events.ts";
import type { StoreFailure } from "../../limiter/core/store.ts";
import type { Micros } from "../../kit/units.ts";
import type { Gateway } from "../gateway.ts";
import {
  countDecision,
  countShadow,
  countStatus,
  countTime,
  extremesAt,
  kindAt,
  newApiCounts,
  newCounts,
  newTimes,
  recordExtreme,
  OUTCOMES,
  type ApiCounts,
  type DurationCounts,
} from "./metric-counts.ts";
import { isUp, type Circuit } from "./circuit.ts";
import type { MemorySize } from "./gateway.node.ts";
import type { Observer } from "./observer.ts";
import type { KeySource } from "./ways.node.ts";
import type { ProtectionReason } from "./rejections.ts";

interface Metrics {
  readonly observer: Observer;
  /** Adds the metrics whose values are read from the gateway: its fleet, its store, its throttled requests. */
  readonly watch: (
    gateway: Gateway,
    readMemory?: () => MemorySize,
    circuits?: () => readonly Circuit[],
  ) => void;
  readonly watchWebhooks: (counts: WebhookCounts) => void;
  readonly watchRecords: (status: KeySource["status"]) => void;
  readonly text: () => Promise<string>;
  /** The metrics as data, for a process that adds up several gateways. */
  readonly parts: () => Promise<MetricParts>;
}

interface WebhookCounts {
  readonly delivered: number;
  readonly failed: number; // failed attempts
  readonly dead: number;
  readonly lost: number;
}

export type MetricParts = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** The metrics of several gateways as one text: sums, and for fleets and allowances the largest or smallest value. */
export const metricsOf = (all: readonly MetricParts[]): Promise<string> =>
  AggregatorRegistry.aggregate([...all]).metrics();

const STORE_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 1];

const MOST_APIS = 1_000;
const NO_API = "none";
const OTHER_APIS = "other";

export function metrics({ ofProcess = true } = {}): Metrics {
  const counts = newCounts();
  const storeTimes = newTimes(STORE_SECONDS);
  const storeFailures: Record<StoreFailure["failed"], number> = { error: 0, timeout: 0, lost: 0 };
  const events = new Map<LimiterEvent["event"], number>();
  let retries = 0;
  const rejections = new Map<ProtectionReason, number>();
  const apis = new Map<string, ApiCounts>();
  let watched: Gateway | null = null;
  let circuitsOf: () => readonly Circuit[] = () => [];
  let memorySize: (() => MemorySize) | null = null;

  const countsOf = (id: string): ApiCounts => {
    const existing = apis.get(id);
    if (existing !== undefined) return existing;
    const name = apis.size < MOST_APIS || id === OTHER_APIS ? id : OTHER_APIS;
    if (name !== id) return countsOf(name);
    const created = newApiCounts(id);
    apis.set(id, created);
    return created;
  };

  const observer: Observer = {
    onEvent: ({ event }) => void events.set(event, (events.get(event) ?? 0) + 1),
    onExchange: null,
    onDecision: ({ decision, api }, _headers, startUs) => {
      if (decision === null) return;
      countDecision(counts, decision);
      if (decision.shown !== null && decision.shown.rule !== null && api !== null)
        recordExtreme(countsOf(api.id).allowance, decision.limit, startUs);
    },
    onResponse: ({ api }, status, upstreamUs) => {
      const ofApi = countsOf(api === null ? NO_API : api.id);
      countStatus(ofApi, status);
      if (upstreamUs >= 0) countTime(ofApi.upstream, upstreamUs);
    },
    onStoreReply: (tookUs, failed) => {
      if (failed === null) countTime(storeTimes, tookUs);
      else storeFailures[failed]++;
    },
    onRetry: () => void retries++,
    onRejection: (reason) => void rejections.set(reason, (rejections.get(reason) ?? 0) + 1),
    onShadowDecision: (level, isRefused) => countShadow(counts, level, isRefused),
  };

  const registry = new Registry();
  const add = register.bind(null, registry);
  add("weir_decisions_total", "counter", "sum", DECISIONS, () =>
    nonZero(counts.decisions, (at) => ({
      ...kindAt(Math.floor(at / OUTCOMES.length)),
      outcome: OUTCOMES[at % OUTCOMES.length]!,
    })),
  );
  add("weir_near_limit_total", "counter", "sum", NEAR_LIMIT, () =>
    nonZero(counts.nearLimit, (at) => ({ ...kindAt(at) })),
  );
  add("weir_shadow_decisions_total", "counter", "sum", SHADOWS, () =>
    nonZero(counts.shadows, (at) => ({
      ...kindAt(Math.floor(at / 2)),
      outcome: at % 2 === 0 ? "admitted" : "would_refuse",
    })),
  );
  add("weir_decisions_without_store_total", "counter", "sum", WITHOUT_STORE, () => [
    { value: counts.withoutStore, labels: {} },
  ]);
  add("weir_events_total", "counter", "sum", EVENTS, () =>
    [...events].map(([event, value]) => ({ value, labels: { event } })),
  );
  add("weir_protection_rejections_total", "counter", "sum", REJECTIONS, () =>
    [...rejections].map(([reason, value]) => ({ value, labels: { reason } })),
  );
  add("weir_upstream_retries_total", "counter", "sum", RETRIES, () => [
    { value: retries, labels: {} },
  ]);
  add("weir_upstream_up", "gauge", "min", UPSTREAM_UP, () =>
    circuitsOf().map((circuit) => ({
      value: Number(isUp(circuit)),
      labels: { upstream: circuit.origin },
    })),
  );
  add("weir_requests_total", "counter", "sum", REQUESTS, () =>
    [...apis.values()].flatMap(({ api, byStatus }) =>
      nonZero(byStatus, (status) => ({ api, status: String(status) })),
    ),
  );
  add("weir_upstream_seconds", "histogram", "sum", UPSTREAM, () =>
    [...apis.values()].flatMap(({ api, upstream }) =>
      histogram("weir_upstream_seconds", upstream, { api }),
    ),
  );
  add("weir_store_seconds", "histogram", "sum", STORE, () =>
    histogram("weir_store_seconds", storeTimes, {}),
  );
  add("weir_store_failures_total", "counter", "sum", STORE_FAILURES, () =>
    Object.entries(storeFailures).map(([failure, value]) => ({ value, labels: { failure } })),
  );
  const gauge = (
    name: string,
    aggregator: Aggregator,
    help: string,
    of: (gateway: Gateway, nowUs: Micros) => number | null,
  ): void =>
    add(name, "gauge", aggregator, help, () => {
      const value = watched === null ? null : of(watched, watched.clock());
      return value === null ? [] : [{ value, labels: {} }];
    });
  gauge("weir_gateways", "max", GATEWAYS, ({ limiter }, nowUs) => gatewaysAt(limiter, nowUs));
  gauge("weir_store_up", "min", STORE_UP, ({ limiter: { store, health } }) =>
    store.isRemote ? Number(health.failures === 0) : null,
  );
  gauge("weir_memory_budgets", "sum", BUDGETS, () => memorySize?.().budgets ?? null);
  gauge("weir_memory_entries", "sum", ENTRIES, () => memorySize?.().entries ?? null);
  gauge("weir_throttled_requests", "sum", THROTTLED, ({ waiting }) => waiting);
  gauge("weir_delayed_requests", "sum", DELAYED, ({ delayed }) => delayed);
  const allowances = (which: "lowest" | "highest"): readonly Sample[] => {
    const nowUs = watched?.clock() ?? 0;
    return [...apis.values()].flatMap(({ api, allowance }) => {
      const extremes = extremesAt(allowance, nowUs);
      return extremes === null ? [] : [{ value: extremes[which], labels: { api } }];
    });
  };
  add("weir_allowance_lowest", "gauge", "min", ALLOWANCE, () => allowances("lowest"));
  add("weir_allowance_highest", "gauge", "max", ALLOWANCE, () => allowances("highest"));
  if (ofProcess) {
    collectDefaultMetrics({ register: registry });
    const collected = timeInCollector();
    add("weir_gc_seconds_total", "counter", "sum", COLLECTOR, () => [
      { value: collected(), labels: {} },
    ]);
  }

  return {
    observer,
    watch: (gateway, readMemory, circuits = () => []) => {
      watched = gateway;
      circuitsOf = circuits;
      memorySize = readMemory ?? null;
    },
    watchWebhooks: (of) => {
      add("weir_webhook_deliveries_total", "counter", "sum", DELIVERIES, () =>
        (["delivered", "failed", "dead"] as const).map((outcome) => ({
          value: of[outcome],
          labels: { outcome },
        })),
      );
      add("weir_webhook_events_lost_total", "counter", "sum", LOST_EVENTS, () => [
        { value: of.lost, labels: {} },
      ]);
    },
    watchRecords: (status) => registerRecords(registry, status),
    text: () => registry.metrics(),
    parts: () => registry.getMetricsAsJSON(),
  };
}

/** Metrics of a process that serves no requests: its workers, and its records unless `status` is null. */
export function primaryParts(
  workers: { readonly count: number; readonly up: number },
  status: KeySource["status"] | null,
): Promise<MetricParts> {
  const registry = new Registry();
  const gauge = (name: string, help: string, value: number): void =>
    register(registry, name, "gauge", "sum", help, () => [{ value, labels: {} }]);
  gauge("weir_workers", WORKERS, workers.count);
  gauge("weir_workers_up", WORKERS_UP, workers.up);
  if (status !== null) registerRecords(registry, status);
  return registry.getMetricsAsJSON();
}

function registerRecords(registry: Registry, status: KeySource["status"]): void {
  const gauge = (name: string, help: string, isSo: () => boolean): void =>
    register(registry, name, "gauge", "min", help, () => [{ value: Number(isSo()), labels: {} }]);
  gauge("weir_records_up", RECORDS_UP, () => status() !== "away");
  gauge("weir_records_writable", RECORDS_WRITABLE, () => status() === "answers");
}

/** Seconds in garbage collection. The library's histogram counts only one of the pauses that Node reports together. */
function timeInCollector(): () => number {
  let ms = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) ms += duration;
  });
  observer.observe({ entryTypes: ["gc"] });
  return () => ms / 1_000;
}

const COLLECTOR = "Time in garbage collection, in which this process does nothing else.";
const DECISIONS =
  "Decisions of the limiter, by the budget that decided: the one that refused, or the tightest one.";
const NEAR_LIMIT =
  "Admitted requests that left their tightest budget a fifth of its limit or less.";
const SHADOWS = "Decisions of shadow limits about admitted requests.";
const WITHOUT_STORE = "Decisions that were made without the store.";
const EVENTS = "Events of the limiter.";
const REJECTIONS = "Connections and requests that the process has rejected to protect itself.";
const RETRIES = "Requests that were sent once more, because their connection had closed.";
const UPSTREAM_UP = "Whether an upstream gets requests, by its health checks and its circuit.";
const REQUESTS = "Requests by API and status, including those that the gateway refuses.";
const UPSTREAM = "From the request to the beginning of the upstream's answer.";
const STORE = "From a store operation to its reply.";
const STORE_FAILURES = "Store operations without a reply.";
const GATEWAYS = "Active gateways of the fleet, including this one.";
const STORE_UP = "Whether the store replied to the last operation.";
const WORKERS = "Configured number of workers.";
const WORKERS_UP = "Workers that serve and respond to the process that started them.";
const RECORDS_UP = "Whether the database of the records responds to reads.";
const RECORDS_WRITABLE = "Whether the records can be read, and the last write to them succeeded.";
const BUDGETS = "Budgets in this gateway's memory.";
const ENTRIES =
  "Entries of the budgets in memory: timestamps of logs, and one for each other budget.";
const THROTTLED = "Throttled requests that wait for their next try.";
const DELAYED = "Admitted requests that wait for their turns (leaky_bucket).";
const ALLOWANCE = "The whole part of smoothed allowances in responses of about the last minute.";
const DELIVERIES = "Attempts to deliver events to webhooks, and deliveries that were abandoned.";
const LOST_EVENTS = "Events for webhooks that did not fit into their queue.";

// ---------------------------------------------------------------- metrics in the form of the library

interface Sample {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly metricName?: string;
}

type Aggregator = "sum" | "min" | "max";

/**
 * A metric whose value is computed when it is read. The library only calls `get`, because its own counters take a
 * microsecond for each count.
 */
function register(
  registry: Registry,
  name: string,
  type: "counter" | "gauge" | "histogram",
  aggregator: Aggregator,
  help: string,
  values: () => readonly Sample[],
): void {
  const get = () => Promise.resolve({ name, help, type, aggregator, values: values() });
  registry.registerMetric({ name, help, type, aggregator, get } as unknown as Metric);
}

function nonZero(
  counts: Float64Array,
  labelsAt: (at: number) => Sample["labels"],
): readonly Sample[] {
  const samples: Sample[] = [];
  for (let at = 0; at < counts.length; at++)
    if (counts[at]! > 0) samples.push({ value: counts[at]!, labels: labelsAt(at) });
  return samples;
}

function histogram(
  name: string,
  { untilUs, counts, sumUs }: DurationCounts,
  labels: Sample["labels"],
): readonly Sample[] {
  let sum = 0;
  const buckets: Sample[] = [];
  for (let at = 0; at < counts.length; at++) {
    sum += counts[at]!;
    const bound = untilUs[at]! / 1e6;
    const le = Number.isFinite(bound) ? String(bound) : "+Inf";
    buckets.push({ metricName: `${name}_bucket`, value: sum, labels: { le, ...labels } });
  }
  return [
    ...buckets,
    { metricName: `${name}_sum`, value: sumUs / 1e6, labels },
    { metricName: `${name}_count`, value: sum, labels },
  ];
}

// Histories written by hand, in seconds: a field that a test leaves out has its neutral value.
import { secondsToMicros, type Micros } from "#src/kit/units.ts";
import {
  HISTORY_FORMAT,
  NO_GATEWAY,
  NO_STATUS,
  REASONS,
  type BudgetText,
  type HistoryCall,
  type HistoryDelivery,
  type GaugeSample,
  type History,
  type HistoryEvent,
  type DecisionReason,
  type LossReason,
  type Requests,
  type HistorySpan,
  type StoreTotals,
  type Timing,
} from "#src/lab/scenario/history.ts";
import type { Json } from "#src/kit/reading/shape.ts";

export interface Row {
  readonly at: number; // when it was sent, and decided, unless it has a `span`
  readonly span?: readonly [number, number];
  readonly planned?: number;
  readonly stamp?: number;
  readonly answered?: number;
  readonly delay?: number;
  readonly cost?: number;
  readonly status?: number;
  readonly reason?: DecisionReason;
  /** It got no response, and its client knew it at `answered`: the row has no status and no stamp (LIM-C18). */
  readonly lost?: LossReason;
  readonly flow?: string;
  readonly stage?: string;
  readonly client?: number;
  readonly from?: string; // one of ADDRESSES
  readonly attempt?: number;
  readonly gateway?: number;
  readonly fleet?: number;
  readonly api?: string;
  readonly key?: string;
  readonly body?: Json;
  readonly by?: BudgetText["scope"]; // the budget that refused
  readonly retryAfter?: number;
  readonly limit?: number;
  readonly remaining?: number;
  readonly reset?: number;
  readonly policy?: string; // the header field with a budget's limit
  readonly standing?: string; // and with its state
  readonly commandsBefore?: number;
  readonly commandsAll?: number;
}

export interface FlowText {
  readonly name: string;
  readonly as?: string | null;
  readonly send?: string;
  readonly stages?: readonly string[];
}

export interface HistoryText {
  readonly driver?: string;
  readonly rows?: readonly Row[];
  readonly flows?: readonly FlowText[];
  readonly timing?: Timing;
  readonly epoch?: number;
  readonly events?: readonly EventText[];
  readonly gauges?: readonly GaugeText[];
  readonly spans?: readonly HistorySpan[];
  readonly calls?: readonly HistoryCall[];
  readonly deliveries?: readonly HistoryDelivery[];
  readonly store?: Partial<StoreTotals>;
}

export interface EventText {
  readonly event: string;
  readonly at: number;
  readonly key?: string | null;
  readonly budget?: string;
  readonly gateway?: number;
  readonly value?: number;
}

export interface GaugeText {
  readonly at: number;
  readonly value: number;
  readonly gauge?: GaugeSample["gauge"];
  readonly key?: string;
  readonly budget?: string;
}

export const BOUNDED = {
  kind: "bounded",
  jitterUs: secondsToMicros(0.01),
  maxUs: secondsToMicros(0.05),
  isStamped: false,
} as const satisfies Timing;

const SCOPES = [
  "api-endpoint",
  "api",
  "key-endpoint",
  "key-api",
  "key",
  "quota",
  "quota-api",
] as const;
const MOST_APIS = ["orders", "users"];
const us = (seconds: number): Micros => secondsToMicros(seconds);

export function historyOf(text: HistoryText): History {
  const rows = text.rows ?? [];
  const flows = text.flows ?? [{ name: "only" }];
  const keys = [...new Set(rows.map((row) => row.key ?? "alice"))];
  const fields = [
    ...new Set(rows.flatMap(({ policy, standing }) => [policy ?? [], standing ?? []].flat())),
  ];
  return {
    header: {
      format: HISTORY_FORMAT,
      scenario: "test/by-hand",
      variant: "",
      axes: {},
      seed: 1,
      driver: text.driver ?? "by hand",
      timing: text.timing ?? { kind: "exact" },
      epochUs: us(text.epoch ?? 0),
      flows: flows.map(({ name, as = "alice", send = "GET /orders", stages = [] }) => {
        const [method = "", path = ""] = send.split(" ");
        return { name, as, method, path, stages };
      }),
      keys,
      apis: MOST_APIS,
      budgets: SCOPES.map(budgetText),
      bodies: rows.flatMap(({ body }) => (body === undefined ? [] : [body])),
      fields,
      addresses: ADDRESSES,
    },
    requests: columns(rows, flows, keys, fields),
    events: (text.events ?? []).map(eventOf),
    gauges: (text.gauges ?? []).map(gaugeOf),
    spans: text.spans ?? [],
    calls: text.calls ?? [],
    deliveries: text.deliveries ?? [],
    store: { commands: 0, inner: 0, roundTrips: 0, peakEntries: 0, peakBytes: 0, ...text.store },
  };
}

export const callMade = (call: string): HistoryCall => ({
  call,
  on: "admin",
  method: "PUT",
  path: "/admin/org/keys/alice",
  gateway: 0,
  plannedUs: us(1),
  sentUs: us(1),
  answeredUs: us(1),
  status: 200,
  headers: { etag: '"2"' },
  body: { ID: "alice", Message: "Key updated", Meta: null },
});

export const deliveryMade = (webhook: string): HistoryDelivery => ({
  delivery: "d-1",
  webhook,
  event: "RatelimitExceeded",
  attempt: 1,
  sentUs: us(1),
  endedUs: us(1),
  method: "PUT",
  url: "https://hooks.example/",
  headers: { "webhook-id": "d-1" },
  body: { event: "RatelimitExceeded", meta: { count: 2 } },
  status: 200,
  error: null,
  state: "delivered",
});

const budgetText = (scope: (typeof SCOPES)[number]): BudgetText => ({
  name: scope,
  scope,
  algorithm: "sliding_log",
  rate: 1,
  perUs: us(1),
  because: ["LIM-1"],
});

const eventOf = ({
  event,
  at,
  key = "alice",
  budget = "key",
  gateway = 0,
  value,
}: EventText): HistoryEvent => ({
  event,
  atUs: us(at),
  stampUs: us(at),
  gateway,
  key,
  api: "orders",
  budget,
  value: value ?? null,
});

const gaugeOf = ({
  at,
  value,
  gauge = "allowance",
  key = "alice",
  budget = `key|key:${key}`,
}: GaugeText): GaugeSample => ({
  gauge,
  atUs: us(at),
  key,
  budget,
  gateway: null,
  value,
});

/** Where clients may come from. */
const ADDRESSES = ["10.0.0.7", "10.0.1.1", "2001:db8::1"];

function columns(
  rows: readonly Row[],
  flows: readonly FlowText[],
  keys: readonly string[],
  fields: readonly string[],
): Requests {
  const float = (of: (row: Row) => number): Float64Array => Float64Array.from(rows, of);
  const time = (of: (row: Row) => number): Float64Array => float((row) => us(of(row)));
  const reasonOf = ({ lost, reason, status = 200 }: Row): DecisionReason =>
    lost ?? reason ?? (status === 429 ? "rate" : status < 300 ? "none" : "access");
  const statusOf = ({ lost, status }: Row): number =>
    status ?? (lost === undefined ? 200 : NO_STATUS);
  const endOf = ({ lost, answered, span, at }: Row): number =>
    span?.[1] ?? (lost === undefined ? at : (answered ?? at));
  const flowOf = ({ flow }: Row): number =>
    flow === undefined ? 0 : flows.findIndex(({ name }) => name === flow);
  return {
    length: rows.length,
    cost: Uint16Array.from(rows, ({ cost = 1 }) => cost),
    plannedUs: time((row) => row.planned ?? row.at),
    sentUs: time((row) => row.at),
    fromUs: time((row) => row.span?.[0] ?? row.at),
    toUs: time(endOf),
    stampUs: time((row) => row.stamp ?? (row.lost === undefined ? row.at : Number.NaN)),
    answeredUs: time((row) => row.answered ?? endOf(row)),
    delayUs: time((row) => row.delay ?? 0),
    status: Uint16Array.from(rows, statusOf),
    reason: Uint8Array.from(rows, (row) => REASONS.indexOf(reasonOf(row))),
    flow: Uint16Array.from(rows, flowOf),
    stage: Int16Array.from(rows, (row) =>
      row.stage === undefined ? -1 : (flows[flowOf(row)]?.stages ?? []).indexOf(row.stage),
    ),
    client: Uint32Array.from(rows, (row) => row.client ?? 0),
    address: Int32Array.from(rows, ({ from = "" }) => ADDRESSES.indexOf(from)),
    attempt: Uint16Array.from(rows, (row) => row.attempt ?? 0),
    gateway: Uint16Array.from(
      rows,
      ({ gateway, lost }) => gateway ?? (lost === "unreachable" ? NO_GATEWAY : 0),
    ),
    fleet: Uint16Array.from(rows, (row) => row.fleet ?? 1),
    key: Int32Array.from(rows, (row) => keys.indexOf(row.key ?? "alice")),
    api: Int32Array.from(rows, (row) => MOST_APIS.indexOf(row.api ?? "orders")),
    budget: Int32Array.from(rows, (row) => (row.by === undefined ? -1 : SCOPES.indexOf(row.by))),
    body: Int32Array.from(rows, ({ body }, index) =>
      body === undefined
        ? -1
        : rows.slice(0, index).filter((earlier) => earlier.body !== undefined).length,
    ),
    retryAfterS: float((row) => row.retryAfter ?? Number.NaN),
    limit: float((row) => row.limit ?? Number.NaN),
    remaining: float((row) => row.remaining ?? Number.NaN),
    policy: Int32Array.from(rows, ({ policy = "" }) => fields.indexOf(policy)),
    standing: Int32Array.from(rows, ({ standing = "" }) => fields.indexOf(standing)),
    resetUs: time((row) => row.reset ?? Number.NaN),
    commandsBefore: Uint16Array.from(rows, (row) => row.commandsBefore ?? 0),
    commandsAll: Uint16Array.from(rows, (row) => row.commandsAll ?? 0),
  };
}

/** "5*200 3*429 2*lost" as rows, `everyS` apart. */
export function rowsOf(runs: string, from: number, everyS: number, more: Partial<Row> = {}): Row[] {
  const statuses = runs.split(" ").flatMap((run) => {
    const [times, status] = run.includes("*") ? run.split("*") : ["1", run];
    return Array.from({ length: Number(times) }, () => status);
  });
  return statuses.map((status, index) => ({
    at: Math.round((from + index * everyS) * 1e6) / 1e6,
    ...(status === "lost" ? { lost: "ended" } : { status: Number(status) }),
    ...(status === "429" ? { by: "key" as const } : {}),
    ...more,
  }));
}

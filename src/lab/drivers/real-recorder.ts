// Records the history of a run in real time: gateways report decisions and their times, and clients report responses.
import { UNDECIDED, type RequestOutcome } from "../../gateway/outcome.ts";
import { NO_LIMIT_VALUES, readLimitValues, type HeaderField } from "../../gateway/headers.ts";
import { REFUSALS } from "../../gateway/refusals.ts";
import { micros, type Micros } from "../../kit/units.ts";
import {
  HISTORY_FORMAT,
  NO_STATUS,
  REASONS,
  type DecisionReason,
  type LossReason,
  type HistoryCall,
  type History,
} from "../scenario/history.ts";
import type { Plan, Variant } from "../scenario/types.ts";
import type { Json } from "../../kit/reading/shape.ts";
import { EPOCH_US } from "../sim/engine.ts";
import { fallbacksOf } from "../sim/fallbacks.ts";
import {
  addressesOf,
  finishRequests,
  flowsOf,
  record,
  recorder,
  type Recorder,
} from "../sim/recorder.ts";
import { MOST_UNCERTAIN_US } from "./driver.ts";

/** A gateway's report of its decision. */
export interface ObservedDecision {
  readonly outcome: RequestOutcome;
  readonly gateway: number;
  readonly fleet: number;
  readonly fromUs: number; // earliest time of the decision
  readonly toUs: number;
  readonly stampUs: number; // time that the limiter used to decide; NaN if the request was evaluated several times
  readonly order: number;
}

interface ReceivedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** What a client reads from a response. */
export interface ResponseReading {
  readonly decision: ObservedDecision | null; // null if nothing reported or implied a decision
  readonly reason: DecisionReason;
  readonly headers: readonly HeaderField[]; // limit headers, under the names that Weir's own gateway uses
  readonly body: string; // empty if it is not recorded
}

/** The value of Retry-After, in seconds; null if the header is missing or not a number. */
export function retryAfterIn(headers: readonly HeaderField[]): number | null {
  const text = headers.find(([name]) => name === "retry-after")?.[1].trim() ?? "";
  const seconds = text === "" ? Number.NaN : Number(text);
  return Number.isFinite(seconds) ? seconds : null;
}

/** The request that the client sent, and its response. */
export interface Observed {
  readonly arrival: number;
  readonly attempt: number;
  readonly sentUs: number;
  readonly receivedUs: number;
  readonly status: number;
}

export interface RealRecorder {
  readonly history: Recorder;
  readonly bodies: Map<string, number>;
  readonly calls: HistoryCall[];
  order: number;
  lost: number;
  readonly fleets: Map<number, number>; // by gateway, the number of active gateways that it last reported
  latestUs: number; // the most by which a request was sent late
  uncertainUs: number; // the longest span of a decision
}

/** `epochUs` is the time on the gateways' clocks when the run starts. */
export const realRecorder = (plan: Plan, epochUs: number = EPOCH_US): RealRecorder => ({
  history: recorder(plan, epochUs),
  bodies: new Map(),
  calls: [],
  order: 0,
  lost: 0,
  fleets: new Map(),
  latestUs: 0,
  uncertainUs: 0,
});

export function recordRequest(
  real: RealRecorder,
  { arrival, attempt, sentUs, receivedUs, status }: Observed,
  { decision, reason, headers, body }: ResponseReading,
): void {
  const { history } = real;
  const isKnown = decision !== null && decision.fromUs >= sentUs && decision.toUs <= receivedUs;
  const [fromUs, toUs] = isKnown ? [decision.fromUs, decision.toUs] : [sentUs, receivedUs];
  const row = record(
    history,
    { arrival, attempt, sentUs, isLost: false },
    {
      outcome: decision?.outcome ?? UNDECIDED,
      gateway: decision?.gateway ?? 0,
      fleet: decision?.fleet ?? 1,
      fromUs,
      toUs,
      stampUs: isKnown ? decision.stampUs : Number.NaN,
      order: decision?.order ?? real.order++,
      commandsBefore: 0,
      commandsAll: 0,
    },
    receivedUs,
    status,
    readLimitValues(headers),
  );
  if (decision !== null) real.fleets.set(decision.gateway, decision.fleet);
  const { columns } = history;
  columns.reason[row] = REASONS.indexOf(reason);
  columns.body[row] = reason === "none" || body === "" ? -1 : placeOf(real.bodies, body);
  noteLateness(real, arrival, attempt, sentUs);
  real.uncertainUs = Math.max(real.uncertainUs, toUs - fromUs);
}

export interface LostRequest {
  readonly arrival: number;
  readonly attempt: number;
  readonly sentUs: number;
  readonly lostUs: number; // when the client noticed the loss
  readonly reason: LossReason;
  readonly gateway: number; // the gateway that it was sent to; NO_GATEWAY if none received it
}

/** The request may have been decided at any time until `lostUs`. `outcome` has only the API and key of the request. */
export function recordLost(
  real: RealRecorder,
  { arrival, attempt, sentUs, lostUs, reason, gateway }: LostRequest,
  outcome: RequestOutcome,
): void {
  const decided = {
    outcome,
    gateway,
    fleet: real.fleets.get(gateway) ?? 1,
    fromUs: sentUs,
    toUs: lostUs,
    stampUs: Number.NaN,
    order: real.order++,
    commandsBefore: 0,
    commandsAll: 0,
    lost: reason,
  };
  const sent = { arrival, attempt, sentUs, isLost: true };
  record(real.history, sent, decided, lostUs, NO_STATUS, NO_LIMIT_VALUES);
  real.lost++;
  noteLateness(real, arrival, attempt, sentUs);
}

/** Only first attempts have a planned time. */
function noteLateness(real: RealRecorder, arrival: number, attempt: number, sentUs: number): void {
  if (attempt > 0) return;
  real.latestUs = Math.max(real.latestUs, sentUs - real.history.plan.atUs[arrival]!);
}

const REASON_OF: ReadonlyMap<string, DecisionReason> = new Map(
  Object.values(REFUSALS).map(({ message, reason }) => [message, reason]),
);

/** Reads a response of Weir's own gateway, whose body has the reason. */
export const readResponse = (
  { status, headers, body }: ReceivedResponse,
  decision: ObservedDecision | null,
): ResponseReading => ({
  decision,
  reason: reasonOf(body, status, decision),
  headers: headersIn(headers),
  body,
});

const headersIn = (headers: ReceivedResponse["headers"]): readonly HeaderField[] =>
  Object.entries(headers).flatMap(([name, value]): readonly HeaderField[] =>
    value === undefined ? [] : [value].flat().map((each) => [name, each]),
  );

/**
 * The reason that the client reads in the body. A response to HEAD has no body, so the gateway reports the reason. An
 * error without a decision is about the message: too large (413, 431), malformed (400), a page of the gateway (405).
 */
function reasonOf(body: string, status: number, decision: ObservedDecision | null): DecisionReason {
  if (decision === null && status >= 400) return REASON_OF.get(errorIn(body)) ?? "message";
  const refused = body === "" ? (decision?.outcome.refused ?? null) : null;
  return refused === null ? (REASON_OF.get(errorIn(body)) ?? "none") : refused.reason;
}

function placeOf(bodies: Map<string, number>, body: string): number {
  const known = bodies.get(body);
  if (known === undefined) bodies.set(body, bodies.size);
  return known ?? bodies.size - 1;
}

function errorIn(body: string): string {
  if (!body.startsWith("{")) return "";
  const parsed: unknown = JSON.parse(body);
  return typeof parsed === "object" && parsed !== null && "error" in parsed
    ? String(parsed.error)
    : "";
}

export function realHistory(
  { history, bodies, calls, latestUs }: RealRecorder,
  { plan, variant, driver, endUs, isStamped, stepUs, clockUs }: RealRun,
): History {
  const { labels } = history;
  return {
    header: {
      format: HISTORY_FORMAT,
      scenario: plan.scenario,
      variant: plan.variant,
      axes: variant.axes,
      seed: plan.seed,
      driver,
      timing: {
        kind: "bounded",
        jitterUs: micros(Math.ceil(latestUs)),
        maxUs: MOST_UNCERTAIN_US,
        isStamped,
        ...(stepUs === undefined ? {} : { stepUs }),
        ...(clockUs === undefined ? {} : { clockUs }),
      },
      epochUs: micros(history.epochUs),
      flows: flowsOf(plan),
      keys: [...labels.keys.keys()],
      apis: [...labels.apis.keys()],
      budgets: labels.texts,
      bodies: [...bodies.keys()].map((text) => JSON.parse(text) as Json),
      fields: [...history.fields.keys()],
      ...addressesOf(plan),
    },
    requests: finishRequests(inTime(history)),
    events: [...history.events], // a copy, without the events that a gateway reports while it stops
    gauges: history.gauges.toSorted((a, b) => a.atUs - b.atUs),
    spans: [...history.spans, ...fallbacksOf(history.events, micros(endUs))],
    calls,
    deliveries: [], // only virtual time simulates deliveries to receivers
    store: { commands: 0, inner: 0, roundTrips: 0, peakEntries: 0, peakBytes: 0 },
  };
}

/** Sorts decisions by time; those at the same time by the order of their reports. */
function inTime(history: Recorder): Recorder {
  const { columns, order, length } = history;
  const { fromUs, toUs } = columns;
  const rows = Array.from({ length }, (_, row) => row).toSorted(
    (a, b) => toUs[a]! - toUs[b]! || fromUs[a]! - fromUs[b]! || order[a]! - order[b]!,
  );
  for (const [place, row] of rows.entries()) order[row] = place;
  return history;
}

export interface RealRun {
  readonly plan: Plan;
  readonly variant: Variant;
  readonly driver: string;
  readonly endUs: number;
  /** Whether the gateways report the times that they used to decide (`stampUs`). */
  readonly isStamped: boolean;
  /** The resolution of a foreign gateway's clock. */
  readonly stepUs?: Micros;
  /** How far a foreign gateway's clock may be from the client's; unset: as far as for two programs on one machine. */
  readonly clockUs?: Micros;
}

// The history of a run in real time: when and by whom a request was decided is told by the gateway at that
// moment, what came of it by the client.
import { UNDECIDED, type RequestOutcome } from "../gateway/outcome.ts";
import type { HeaderField } from "../gateway/headers.ts";
import { REFUSALS } from "../gateway/refusals.ts";
import { micros } from "../core/units.ts";
import { HISTORY_FORMAT, REASONS, type HistoryCall, type History } from "../scenario/history.ts";
import type { Plan, Variant } from "../scenario/types.ts";
import type { Json } from "../reading/shape.ts";
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

/** What a gateway says at the moment of its decision. */
export interface Told {
  readonly outcome: RequestOutcome;
  readonly gateway: number;
  readonly fleet: number;
  readonly fromUs: number; // it fell not before
  readonly toUs: number;
  readonly stampUs: number; // NaN: the request was judged several times
  readonly order: number;
}

/** What the client sent and got. */
export interface Observed {
  readonly arrival: number;
  readonly attempt: number;
  readonly sentUs: number;
  readonly heardUs: number;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface RealRecorder {
  readonly kept: Recorder;
  readonly bodies: Map<string, number>;
  readonly calls: HistoryCall[];
  order: number;
  unanswered: number;
  latestUs: number; // the most by which a request was sent late
  uncertainUs: number; // the longest span of a decision
}

export const realRecorder = (plan: Plan): RealRecorder => ({
  kept: recorder(plan, EPOCH_US),
  bodies: new Map(),
  calls: [],
  order: 0,
  unanswered: 0,
  latestUs: 0,
  uncertainUs: 0,
});

const REASON_OF: ReadonlyMap<string, number> = new Map(
  Object.values(REFUSALS).map(({ message, reason }) => [message, REASONS.indexOf(reason)]),
);

export function keep(real: RealRecorder, observed: Observed, told: Told | null): void {
  const { kept } = real;
  const { arrival, attempt, sentUs, heardUs, status, headers, body } = observed;
  const isKnown = told !== null && told.fromUs >= sentUs && told.toUs <= heardUs;
  const [fromUs, toUs] = isKnown ? [told.fromUs, told.toUs] : [sentUs, heardUs];
  const row = record(
    kept,
    { arrival, attempt, sentUs },
    {
      outcome: told?.outcome ?? UNDECIDED,
      gateway: told?.gateway ?? 0,
      fleet: told?.fleet ?? 1,
      fromUs,
      toUs,
      stampUs: isKnown ? told.stampUs : Number.NaN,
      answeredUs: heardUs,
      status,
      headers: headersIn(headers),
      order: told?.order ?? real.order++,
      commandsBefore: 0,
      commandsAll: 0,
    },
  );
  const reason = reasonOf(body, status, told);
  const { columns } = kept;
  columns.reason[row] = reason;
  columns.body[row] = reason === 0 || body === "" ? -1 : placeOf(real.bodies, body);
  const plannedUs = attempt === 0 ? columns.plannedUs[row]! : sentUs;
  real.latestUs = Math.max(real.latestUs, sentUs - plannedUs);
  real.uncertainUs = Math.max(real.uncertainUs, toUs - fromUs);
}

const headersIn = (headers: Observed["headers"]): readonly HeaderField[] =>
  Object.entries(headers).flatMap(([name, value]): readonly HeaderField[] =>
    value === undefined ? [] : [value].flat().map((each) => [name, each]),
  );

/**
 * As the client reads it; the answer to a HEAD has no body, so there the gateway has to say it. An error behind which there
 * is no decision is about the message: too large (413, 431), malformed (400), or to a page of the gateway (405).
 */
function reasonOf(body: string, status: number, told: Told | null): number {
  if (told === null && status >= 400) return REASON_OF.get(errorIn(body)) ?? NO_MESSAGE;
  const refused = body === "" ? (told?.outcome.refused ?? null) : null;
  return refused === null ? (REASON_OF.get(errorIn(body)) ?? 0) : REASONS.indexOf(refused.reason);
}

const NO_MESSAGE = REASONS.indexOf("message");

function placeOf(bodies: Map<string, number>, body: string): number {
  const known = bodies.get(body);
  if (known === undefined) bodies.set(body, bodies.size);
  return known ?? bodies.size - 1;
}

function errorIn(body: string): string {
  if (!body.startsWith("{")) return "";
  const said: unknown = JSON.parse(body);
  return typeof said === "object" && said !== null && "error" in said ? String(said.error) : "";
}

export function realHistory(
  { kept, bodies, calls, unanswered, latestUs }: RealRecorder,
  { plan, variant, driver, endUs }: RealRun,
): History {
  const { labels } = kept;
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
        isStamped: true,
      },
      epochUs: EPOCH_US,
      flows: flowsOf(plan),
      keys: [...labels.keys.keys()],
      apis: [...labels.apis.keys()],
      budgets: labels.texts,
      bodies: [...bodies.keys()].map((text) => JSON.parse(text) as Json),
      fields: [...kept.fields.keys()],
      ...addressesOf(plan),
    },
    requests: finishRequests(inTime(kept)),
    events: [...kept.events], // not what a gateway still reports when it is stopped
    gauges: kept.gauges.toSorted((a, b) => a.atUs - b.atUs),
    spans: [...kept.spans, ...fallbacksOf(kept.events, micros(endUs))],
    calls,
    deliveries: [], // what becomes of events at receivers is played in virtual time
    store: { commands: 0, inner: 0, roundTrips: 0, peakEntries: 0, peakBytes: 0 },
    unanswered,
  };
}

/** Decisions at different instants lie as those do; of one instant as they were told. */
function inTime(kept: Recorder): Recorder {
  const { columns, order, length } = kept;
  const { fromUs, toUs } = columns;
  const rows = Array.from({ length }, (_, row) => row).toSorted(
    (a, b) => toUs[a]! - toUs[b]! || fromUs[a]! - fromUs[b]! || order[a]! - order[b]!,
  );
  for (const [place, row] of rows.entries()) order[row] = place;
  return kept;
}

export interface RealRun {
  readonly plan: Plan;
  readonly variant: Variant;
  readonly driver: string;
  readonly endUs: number;
}

// The load generator of a run and the figures that it returns. Its programs are processes of their own
// (start-load.node.ts), so that they share no event loop with the measured server or with the progress line.
import { type Micros, microsToSeconds } from "../../../kit/units.ts";
import type { LoadModel, Keys } from "../suite.ts";

export interface Load {
  /** Sends the load of one repeat. Rejects if the load generator ends. If the target ends, the figures count errors. */
  readonly run: (
    order: LoadOrder,
    onProgress?: (progress: LoadProgress) => void,
  ) => Promise<LoadFigures>;
  /** The process that sends for a load model; its processor time is measured. */
  readonly pidOf: (loadModel: LoadModel) => number;
  readonly stop: () => Promise<void>;
}

export interface LoadOrder {
  readonly url: string; // address and path
  readonly loadModel: LoadModel;
  readonly connections: number; // closed loop: each waits for its response; open loop: the size of the pool
  readonly perSecond: number | null; // arrivals per second; null: closed loop
  readonly lastsUs: Micros;
  readonly keys: Keys;
  readonly keyCount: number; // number of keys; unused if `keys` is `one`
  /** The value of the header Authorization is this prefix and the number of the key: see keyAt. */
  readonly keyPrefix: string;
  /** Sent instead of prefix and number to a target, because a target has its own keys. */
  readonly authorization?: string;
  readonly seed: number; // for arrivals and keys
  /** The largest number of requests. */
  readonly atMost?: number;
}

/** Reported a few times a second; counts since the repeat began. */
export interface LoadProgress {
  readonly answers: number;
  readonly refused: number;
  readonly errors: number;
  readonly p99Us: number | null;
}

export interface LoadFigures {
  readonly tookUs: Micros; // from the beginning to the last response, which may arrive after the last arrival
  readonly sent: number;
  readonly isCut: boolean; // whether requests were left out because of `atMost`
  readonly answers: number; // responses with any status
  readonly statuses: Readonly<Record<string, number>>;
  readonly unanswered: number; // requests whose connection broke or was refused, or that timed out
  readonly latency: Readonly<Record<"all" | "admitted" | "refused", Quantiles | null>>; // admitted: 2xx, refused: 429
  /** The latencies of all responses in microseconds, as HdrHistogram encodes them in base64; null: no response. */
  readonly histogram: string | null;
  /** How the plan was followed; null: a closed loop has no plan. */
  readonly sending: OpenLoopSending | null;
  readonly cpuUs: Micros; // processor time of the load generator
  readonly busy: number; // share of time in which the generator's event loop was busy: at 1, it slows the load
}

/** How an open loop followed its plan. */
export interface OpenLoopSending {
  readonly planned: number;
  readonly dropped: number; // never sent: too many requests were in flight
  readonly late: Quantiles | null; // actual minus planned send time
  /** Why the figures measure the load generator and not the target; null: they measure the target. */
  readonly overran: string | null;
}

export interface Quantiles {
  readonly count: number;
  readonly meanUs: number;
  readonly p50Us: number;
  readonly p90Us: number;
  readonly p99Us: number;
  readonly p999Us: number;
  readonly maxUs: number;
}

export const keyAt = (prefix: string, at: number): string => `${prefix}${at}`;

/** The number of requests without a response, plus the responses that are neither admitted nor refused. */
export function errorsOf({ statuses, unanswered }: LoadFigures): number {
  let errors = unanswered;
  for (const [status, count] of Object.entries(statuses))
    if (!isAdmitted(Number(status)) && Number(status) !== REFUSED) errors += count;
  return errors;
}

export const REFUSED = 429;
export const isAdmitted = (status: number): boolean => status >= 200 && status < 300;

export const perSecondOf = ({ answers, tookUs }: LoadFigures): number =>
  tookUs === 0 ? 0 : answers / microsToSeconds(tookUs);

export const refusalShareOf = ({ answers, statuses }: LoadFigures): number =>
  answers === 0 ? 0 : (statuses[REFUSED] ?? 0) / answers;

const LATEST_P99_US = 5_000;
const FULL = 0.9;

/** Why an open loop did not follow its plan well enough to measure its target; null: it did. */
export function describeOverrun(late: Quantiles | null, busy: number): string | null {
  if (busy >= FULL)
    return `the load generator's event loop was busy for ${Math.round(busy * 100)} % of the time: offer less, or give it a core`;
  if (late !== null && late.p99Us > LATEST_P99_US)
    return `one arrival in a hundred was sent ${(late.p99Us / 1_000).toFixed(1)} ms or more after its time: the machine is too busy for its load generator`;
  return null;
}

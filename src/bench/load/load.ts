// What sends the load of one repeat, and what it tells afterwards. The programs that do it are processes of their
// own (start-load.node.ts), so that they share no event loop with what they measure or with who draws the table.
import type { Micros } from "../../core/units.ts";
import type { LoadModel, Keys } from "../suite.ts";

export interface Load {
  /** One repeat. Rejects only where the sender itself is gone; a target that is gone shows as errors. */
  readonly run: (
    order: LoadOrder,
    onProgress?: (progress: LoadProgress) => void,
  ) => Promise<LoadFigures>;
  /** The process that sends for a load model, to read its processor time. */
  readonly pidOf: (loadModel: LoadModel) => number;
  readonly stop: () => Promise<void>;
}

export interface LoadOrder {
  readonly url: string; // with its path
  readonly loadModel: LoadModel;
  readonly connections: number; // closed: each waits for its answer; open: among these is chosen
  readonly perSecond: number | null; // arrivals; null: closed
  readonly lastsUs: Micros;
  readonly keys: Keys;
  readonly keyCount: number; // of many and zipf; one is keyAt(0)
  /** What the header Authorization says is this and the number of the key: see keyAt. */
  readonly keyPrefix: string;
  /** What that header says to somebody else's gateway, which knows none of these keys. */
  readonly authorization?: string;
  readonly seed: number; // of arrivals and keys
  /** So many requests are sent, and not one more. */
  readonly atMost?: number;
}

/** While it runs, a few times a second: since the repeat began. */
export interface LoadProgress {
  readonly answers: number;
  readonly refused: number;
  readonly errors: number;
  readonly p99Us: number | null;
}

export interface LoadFigures {
  readonly tookUs: Micros; // from the first moment to the last, answers that came after the last arrival included
  readonly sent: number;
  readonly isCut: boolean; // some were not sent because of `atMost`
  readonly answers: number; // whatever their status
  readonly statuses: Readonly<Record<string, number>>;
  readonly unanswered: number; // a connection that broke or was refused, or nothing within the time limit
  readonly latency: Readonly<Record<"all" | "admitted" | "refused", Quantiles | null>>; // 2xx, 429; null: none came
  /** How long all answers took, in microseconds, as HdrHistogram writes it down in base64; null: none came. */
  readonly histogram: string | null;
  /** Of an open loop alone. */
  readonly sending: OpenLoopSending | null;
  readonly cpuUs: Micros; // processor time of the sender
  readonly busy: number; // share of the time in which the sender's event loop was at work: at 1 it is what was measured
}

/** An arrival is planned before; what became of the plan. */
export interface OpenLoopSending {
  readonly planned: number;
  readonly dropped: number; // too many were in flight: never sent
  readonly late: Quantiles | null; // sent minus planned
  /** Why the figures say more about the sender than about the target; null: they do not. */
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

/** Requests without an answer, and answers that are neither admitted nor refused. */
export function errorsOf({ statuses, unanswered }: LoadFigures): number {
  let errors = unanswered;
  for (const [status, count] of Object.entries(statuses))
    if (!isAdmitted(Number(status)) && Number(status) !== REFUSED) errors += count;
  return errors;
}

export const REFUSED = 429;
export const isAdmitted = (status: number): boolean => status >= 200 && status < 300;

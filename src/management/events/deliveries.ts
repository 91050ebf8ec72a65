// The queue of what webhooks are told: a row for each webhook and happening, from when it is written until it has
// been delivered or given up.
import type { Happening } from "./happening.ts";
import type { EventName } from "./names.ts";

export const STATES = ["waiting", "delivered", "dead"] as const;
export type State = (typeof STATES)[number];

export interface Delivery extends Omit<Happening, "budget"> {
  readonly row: number;
  readonly id: string; // the same for each attempt
  readonly webhook: string;
  readonly event: EventName;
  readonly state: State;
  readonly dueUs: number; // when it may be sent: not while somebody sends it
  readonly attempts: number;
  readonly endedUs: number | null;
  readonly status: number | null; // of the last attempt's answer
  readonly error: string | null; // of the last attempt
}

/** A webhook as far as the queue has to know it. */
export interface Listening {
  readonly webhook: string;
  readonly events: ReadonlySet<string>;
  readonly sinceUs: number; // when the webhook was created
}

export interface Bounds {
  readonly cooldownUs: number; // for how long what happens to one budget is gathered; 0: not at all
  readonly mostWaiting: number; // of one webhook: a receiver that is away takes no room from others
}

export const MOST_WAITING = 10_000;

/** What is over is kept for a while, and not endlessly much of it. */
export interface Kept {
  readonly deliveredSinceUs: number;
  readonly deadSinceUs: number;
  readonly mostDelivered: number; // about: the newest rows, others among them
  readonly mostDead: number;
  readonly mostBytes: number; // about, of all of them: then the oldest go, those that wait last
}

export interface Lost {
  readonly webhook: string;
  readonly count: number;
}

export interface Settled {
  readonly state: State;
  readonly dueUs: number;
  readonly atUs: number;
  readonly status: number | null;
  readonly error: string | null;
}

export interface Deliveries {
  /**
   * One delivery for each webhook that lists the event; those of one budget join what gathers already. Durable when it
   * resolves. Answers how many did not fit.
   */
  readonly queue: (happenings: readonly Happening[], bounds: Bounds) => Promise<number>;
  /** Webhooks that something is due for. */
  readonly due: (nowUs: number) => Promise<readonly string[]>;
  /** Takes the oldest that are due: until the lease is over nobody else does. */
  readonly claim: (
    webhook: string,
    most: number,
    nowUs: number,
    leaseUs: number,
  ) => Promise<readonly Delivery[]>;
  /** What has become of an attempt, unless the delivery has been taken by another since. */
  readonly settle: (delivery: Delivery, settled: Settled) => Promise<void>;
  readonly nextDueUs: (afterUs: number) => Promise<number | null>;
  /** The newest first. */
  readonly list: (state: State | null, most: number) => Promise<readonly Delivery[]>;
  /** One that is no longer waiting; null: all that are dead. Answers how many are sent again. */
  readonly resend: (id: string | null, nowUs: number) => Promise<number>;
  readonly lost: () => Promise<readonly Lost[]>;
  /** Answers how many go that somebody should have been told of. */
  readonly prune: (kept: Kept) => Promise<number>;
}

/**
 * Told by when it first happened and where it lies: both stay as they are, and no other queue has ever had the same.
 */
export const idOf = (firstUs: number, row: number): string =>
  `${firstUs.toString(36)}-${row.toString(36)}`;

export function rowOf(id: string): number | null {
  const [, row] = /^[0-9a-z]+-([0-9a-z]{1,10})$/.exec(id) ?? [];
  return row === undefined ? null : Number.parseInt(row, 36);
}

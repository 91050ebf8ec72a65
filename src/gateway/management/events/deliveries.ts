// The queue of webhook deliveries: a row for each webhook and event, from when it is written until it was delivered
// or given up.
import type { Happening } from "./happening.ts";
import type { EventName } from "./names.ts";

const STATES = ["waiting", "delivered", "dead"] as const;
export type State = (typeof STATES)[number];

export interface Delivery extends Omit<Happening, "budget"> {
  readonly row: number;
  readonly id: string; // the same for each attempt
  readonly webhook: string;
  readonly event: EventName;
  readonly state: State;
  readonly dueUs: number; // when it may be sent: after the lease, while a gateway sends it
  readonly attempts: number;
  readonly endedUs: number | null;
  readonly status: number | null; // of the response to the last attempt
  readonly error: string | null; // of the last attempt
}

export interface QueueBounds {
  readonly cooldownUs: number; // how long the events of one budget are merged into one delivery; 0: never
  readonly mostWaiting: number; // per webhook, so that an unreachable receiver takes no space from others
}

export const MOST_WAITING = 10_000;

/** How long ended deliveries are retained, and at most how many. */
export interface DeliveryRetention {
  readonly deliveredSinceUs: number;
  readonly deadSinceUs: number;
  readonly mostDelivered: number; // approximate: counts the newest rows in any state
  readonly mostDead: number;
  readonly mostBytes: number; // approximate, of all rows: above it the oldest are deleted, waiting ones last
}

/** The size of a row without its texts. */
export const BYTES_OF_A_ROW = 100;

export interface LostDeliveries {
  readonly webhook: string;
  readonly count: number;
}

export interface DeliveryResult {
  readonly state: State;
  readonly dueUs: number;
  readonly atUs: number;
  readonly status: number | null;
  readonly error: string | null;
}

export interface Deliveries {
  /**
   * Adds one delivery for each webhook that lists the event; an event of a budget joins a delivery that is still merging.
   * Durable when it resolves. Returns how many did not fit.
   */
  readonly queue: (happenings: readonly Happening[], bounds: QueueBounds) => Promise<number>;
  /** Webhooks that have a due delivery. */
  readonly due: (nowUs: number) => Promise<readonly string[]>;
  /** Claims the oldest due deliveries: until the lease ends, no other gateway can claim them. */
  readonly claim: (
    webhook: string,
    most: number,
    nowUs: number,
    leaseUs: number,
  ) => Promise<readonly Delivery[]>;
  /** Stores the result of an attempt, unless another gateway has claimed the delivery since. */
  readonly settle: (delivery: Delivery, result: DeliveryResult) => Promise<void>;
  readonly nextDueUs: (afterUs: number) => Promise<number | null>;
  /** The newest first. */
  readonly list: (state: State | null, most: number) => Promise<readonly Delivery[]>;
  /** Sends a delivery again that is no longer waiting; null: all dead ones. Returns how many. */
  readonly resend: (id: string | null, nowUs: number) => Promise<number>;
  readonly listLost: () => Promise<readonly LostDeliveries[]>;
  /** Returns how many waiting deliveries were deleted. */
  readonly prune: (retention: DeliveryRetention) => Promise<number>;
}

/** From the time of the first event and the row number, which never change, so that no two queues have the same id. */
export const deliveryIdOf = (firstUs: number, row: number): string =>
  `${firstUs.toString(36)}-${row.toString(36)}`;

export function rowOf(id: string): number | null {
  const [, row] = /^[0-9a-z]+-([0-9a-z]{1,10})$/.exec(id) ?? [];
  return row === undefined ? null : Number.parseInt(row, 36);
}

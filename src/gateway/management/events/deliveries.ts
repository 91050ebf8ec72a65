// The queue of webhook deliveries: a row for each webhook and event, until it is delivered or given up.
import type { Happening } from "./happening.ts";
import type { EventName } from "./names.ts";

const STATES = ["waiting", "delivered", "dead"] as const;
export type State = (typeof STATES)[number];

export interface Delivery extends Omit<Happening, "budget"> {
  readonly row: number;
  readonly id: string; // sent with each attempt
  readonly webhook: string;
  readonly event: EventName;
  readonly state: State;
  readonly dueUs: number; // when it may be sent; while a gateway sends it, the end of the lease
  readonly attempts: number;
  readonly endedUs: number | null;
  readonly status: number | null; // of the response to the last attempt; null: none
  readonly error: string | null; // of the last attempt; null: none
}

export interface QueueBounds {
  readonly cooldownUs: number; // for how long events of one budget are merged into one delivery; 0: never
  readonly mostWaiting: number; // for each webhook, so that an unreachable receiver does not fill the whole queue
}

export const MOST_WAITING = 10_000;

/** How long, and up to which number, ended deliveries are retained. */
export interface DeliveryRetention {
  readonly deliveredSinceUs: number;
  readonly deadSinceUs: number;
  readonly mostDelivered: number; // approximate: a row is deleted if this many newer rows exist, in any state
  readonly mostDead: number;
  readonly mostBytes: number; // approximate, of all rows; above, the oldest are deleted, ended before waiting
}

/** The bytes of a row in addition to its texts. */
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
   * Adds a delivery for each webhook that lists the event, or merges the event into a delivery of the same budget.
   * The queue is durable when the promise resolves to the number of deliveries that did not fit.
   */
  readonly queue: (happenings: readonly Happening[], bounds: QueueBounds) => Promise<number>;
  /** Ids of webhooks with a due delivery. */
  readonly due: (nowUs: number) => Promise<readonly string[]>;
  /** Claims the oldest due deliveries of a webhook: until the lease ends, no other gateway can claim them. */
  readonly claim: (
    webhook: string,
    most: number,
    nowUs: number,
    leaseUs: number,
  ) => Promise<readonly Delivery[]>;
  /** Stores the result of an attempt, unless another gateway has claimed the delivery since then. */
  readonly settle: (delivery: Delivery, result: DeliveryResult) => Promise<void>;
  readonly nextDueUs: (afterUs: number) => Promise<number | null>;
  /** Lists the newest deliveries first; `state` null: in any state. */
  readonly list: (state: State | null, most: number) => Promise<readonly Delivery[]>;
  /** Makes an ended delivery due again, or all dead ones if `id` is null. Returns how many deliveries are due again. */
  readonly resend: (id: string | null, nowUs: number) => Promise<number>;
  readonly listLost: () => Promise<readonly LostDeliveries[]>;
  /** Deletes old deliveries. Returns how many of them were still waiting. */
  readonly prune: (retention: DeliveryRetention) => Promise<number>;
}

/** Builds the id from the first event's time and the row's number, which never change and differ between queues. */
export const deliveryIdOf = (firstUs: number, row: number): string =>
  `${firstUs.toString(36)}-${row.toString(36)}`;

export function rowOf(id: string): number | null {
  const [, row] = /^[0-9a-z]+-([0-9a-z]{1,10})$/.exec(id) ?? [];
  return row === undefined ? null : Number.parseInt(row, 36);
}

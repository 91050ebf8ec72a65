// Who watches a gateway at work: metrics, access log, a driver. Nobody who watches can change an answer.
import type { LimiterEvent } from "../core/decision.ts";
import type { Micros } from "../core/units.ts";
import type { Outcome, Request } from "../gateway/handle.ts";

/** A request that is over. */
export interface Exchange {
  readonly request: Request;
  readonly outcome: Outcome | null; // null: the client left before it was decided
  readonly status: number; // 0: nothing was answered
  readonly startUs: Micros;
  readonly endUs: Micros;
  readonly isWhole: boolean; // false: the client or the upstream broke off
}

export interface Observer {
  readonly event: (event: LimiterEvent) => void;
  readonly exchange: ((exchange: Exchange) => void) | null; // null: nobody needs to know
}

// Who watches a gateway at work: metrics, access log, a driver. Nobody who watches can change an answer.
import type { LimiterEvent } from "../../core/events.ts";
import type { Level, StoreFailure } from "../../core/store.ts";
import type { Micros } from "../../core/units.ts";
import type { ReceivedHeaders } from "../credential.ts";
import type { RequestOutcome, GatewayRequest } from "../outcome.ts";
import type { ProtectionReason } from "./rejections.ts";

/** A request that is over. */
export interface Exchange {
  readonly request: GatewayRequest;
  readonly outcome: RequestOutcome | null; // null: the client left before it was decided
  readonly status: number; // 0: nothing was answered
  readonly startUs: Micros;
  readonly endUs: Micros;
  readonly upstream: string | null; // its origin: that it was sent to, the last one if it was sent twice; null: to none
  readonly upstreamUs: number; // until the upstream began to answer; -1: it was not asked, or did not
  readonly bytesSent: number; // with the headers
  readonly clientAddress: string;
  readonly requestId: string | null; // as the client calls it
  readonly rejected: ProtectionReason | null; // null: not by the process, which protects itself
  readonly isWhole: boolean; // false: the client or the upstream broke off
}

/** Each is called while its request is served, so each has to be quick. */
export interface Observer {
  readonly event: (event: LimiterEvent) => void;
  /** As soon as it is decided, and before the answer. The decision in it may be written over afterwards. */
  readonly decided?: (outcome: RequestOutcome, headers: ReceivedHeaders, startUs: Micros) => void;
  /** As its answer begins; `upstreamUs` is -1 where the gateway answers by itself. */
  readonly answered?: (outcome: RequestOutcome, status: number, upstreamUs: number) => void;
  readonly exchange: ((exchange: Exchange) => void) | null; // null: nobody needs to know
  /** A store elsewhere has answered, or it has not. */
  readonly storeAsked?: (tookUs: number, failed: StoreFailure["failed"] | null) => void;
  /** The process protects itself. A request is `answered` and over (`exchange`) as well; of a connection this is all. */
  readonly rejected?: (reason: ProtectionReason, atUs: Micros, connection?: string) => void;
  /** By its checks, or by what has become of requests. */
  readonly upstreamChanged?: (origin: string, isUp: boolean, atUs: Micros) => void;
  /** A request is sent once more. */
  readonly retried?: () => void;
  /** A shadow limit has been asked (LIM-C13). */
  readonly shadowJudged?: (level: Level, isRefused: boolean) => void;
}

/** Several as one. */
export function observers(all: readonly Observer[]): Observer {
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  const deciding = all.flatMap(({ decided }) => (decided === undefined ? [] : [decided]));
  const exchanging = all.flatMap(({ exchange }) => (exchange === null ? [] : [exchange]));
  const answering = all.flatMap(({ answered }) => (answered === undefined ? [] : [answered]));
  const shadowing = all.flatMap(({ shadowJudged }) =>
    shadowJudged === undefined ? [] : [shadowJudged],
  );
  const asking = all.flatMap(({ storeAsked }) => (storeAsked === undefined ? [] : [storeAsked]));
  const rejecting = all.flatMap(({ rejected }) => (rejected === undefined ? [] : [rejected]));
  const retrying = all.flatMap(({ retried }) => (retried === undefined ? [] : [retried]));
  const watching = all.flatMap(({ upstreamChanged: one }) => (one === undefined ? [] : [one]));
  return {
    event: (event) => {
      for (const one of all) one.event(event);
    },
    ...(deciding.length > 0 && {
      decided: (outcome, headers, startUs) => {
        for (const one of deciding) one(outcome, headers, startUs);
      },
    }),
    ...(answering.length > 0 && {
      answered: (outcome, status, upstreamUs) => {
        for (const one of answering) one(outcome, status, upstreamUs);
      },
    }),
    ...(watching.length > 0 && {
      upstreamChanged: (origin, isUp, atUs) => {
        for (const one of watching) one(origin, isUp, atUs);
      },
    }),
    ...(retrying.length > 0 && {
      retried: () => {
        for (const one of retrying) one();
      },
    }),
    ...(rejecting.length > 0 && {
      rejected: (reason, atUs, connection) => {
        for (const one of rejecting) one(reason, atUs, connection);
      },
    }),
    ...(shadowing.length > 0 && {
      shadowJudged: (level, isRefused) => {
        for (const one of shadowing) one(level, isRefused);
      },
    }),
    exchange:
      exchanging.length === 0
        ? null
        : (exchange) => {
            for (const one of exchanging) one(exchange);
          },
    ...(asking.length > 0 && {
      storeAsked: (tookUs, failed) => {
        for (const one of asking) one(tookUs, failed);
      },
    }),
  };
}

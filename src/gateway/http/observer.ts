// Observers of a serving gateway: metrics, access log, a driver. No observer can change a response.
import type { LimiterEvent } from "../../limiter/core/events.ts";
import type { Level, StoreFailure } from "../../limiter/core/store.ts";
import type { Micros } from "../../kit/units.ts";
import type { ReceivedHeaders } from "../credential.ts";
import type { RequestOutcome, GatewayRequest } from "../outcome.ts";
import type { ProtectionReason } from "./rejections.ts";

/** A finished request. */
export interface Exchange {
  readonly request: GatewayRequest;
  readonly outcome: RequestOutcome | null; // null: the client disconnected before the decision
  readonly status: number; // 0: there was no response
  readonly startUs: Micros;
  readonly endUs: Micros;
  readonly upstream: string | null; // origin of the last upstream that got the request; null: not sent
  readonly upstreamUs: number; // until the upstream's response began; -1: no response
  readonly bytesSent: number; // including headers
  readonly clientAddress: string;
  readonly requestId: string | null; // from the client's header
  readonly rejected: ProtectionReason | null; // why the process rejected the request; null: not rejected
  readonly isWhole: boolean; // false: the response was broken off
}

/** Functions are called while a request is served, so they must be quick. */
export interface Observer {
  readonly onEvent: (event: LimiterEvent) => void;
  /** Called after the decision, before the response. A later decision may overwrite this one. */
  readonly onDecision?: (
    outcome: RequestOutcome,
    headers: ReceivedHeaders,
    startUs: Micros,
  ) => void;
  /** Called when the response begins. `upstreamUs` is -1 if the gateway generates the response. */
  readonly onResponse?: (outcome: RequestOutcome, status: number, upstreamUs: number) => void;
  readonly onExchange: ((exchange: Exchange) => void) | null; // null: no observer needs it
  /** A remote store has replied or failed. */
  readonly onStoreReply?: (tookUs: number, failed: StoreFailure["failed"] | null) => void;
  /** The process rejects a request or a connection. For a request, `onResponse` and `onExchange` are called too. */
  readonly onRejection?: (reason: ProtectionReason, atUs: Micros, connection?: string) => void;
  /** Health checks or results of requests have changed whether an upstream is up. */
  readonly onUpstreamChange?: (origin: string, isUp: boolean, atUs: Micros) => void;
  /** A request is sent a second time. */
  readonly onRetry?: () => void;
  /** A shadow limit has been evaluated (LIM-C13). */
  readonly onShadowDecision?: (level: Level, isRefused: boolean) => void;
}

/** Several observers as one. */
export function combineObservers(all: readonly Observer[]): Observer {
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  const deciding = all.flatMap(({ onDecision }) => (onDecision === undefined ? [] : [onDecision]));
  const exchanging = all.flatMap(({ onExchange }) => (onExchange === null ? [] : [onExchange]));
  const answering = all.flatMap(({ onResponse }) => (onResponse === undefined ? [] : [onResponse]));
  const shadowing = all.flatMap(({ onShadowDecision }) =>
    onShadowDecision === undefined ? [] : [onShadowDecision],
  );
  const timing = all.flatMap(({ onStoreReply }) =>
    onStoreReply === undefined ? [] : [onStoreReply],
  );
  const rejecting = all.flatMap(({ onRejection }) =>
    onRejection === undefined ? [] : [onRejection],
  );
  const retrying = all.flatMap(({ onRetry }) => (onRetry === undefined ? [] : [onRetry]));
  const watching = all.flatMap(({ onUpstreamChange }) =>
    onUpstreamChange === undefined ? [] : [onUpstreamChange],
  );
  return {
    onEvent: (event) => {
      for (const observer of all) observer.onEvent(event);
    },
    ...(deciding.length > 0 && {
      onDecision: (outcome, headers, startUs) => {
        for (const notify of deciding) notify(outcome, headers, startUs);
      },
    }),
    ...(answering.length > 0 && {
      onResponse: (outcome, status, upstreamUs) => {
        for (const notify of answering) notify(outcome, status, upstreamUs);
      },
    }),
    ...(watching.length > 0 && {
      onUpstreamChange: (origin, isUp, atUs) => {
        for (const notify of watching) notify(origin, isUp, atUs);
      },
    }),
    ...(retrying.length > 0 && {
      onRetry: () => {
        for (const notify of retrying) notify();
      },
    }),
    ...(rejecting.length > 0 && {
      onRejection: (reason, atUs, connection) => {
        for (const notify of rejecting) notify(reason, atUs, connection);
      },
    }),
    ...(shadowing.length > 0 && {
      onShadowDecision: (level, isRefused) => {
        for (const notify of shadowing) notify(level, isRefused);
      },
    }),
    onExchange:
      exchanging.length === 0
        ? null
        : (exchange) => {
            for (const notify of exchanging) notify(exchange);
          },
    ...(timing.length > 0 && {
      onStoreReply: (tookUs, failed) => {
        for (const notify of timing) notify(tookUs, failed);
      },
    }),
  };
}

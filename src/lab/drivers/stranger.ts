// Reads a response of a foreign gateway as its client does. The key, API and limit of a request follow from the world
// that the gateway claims to enforce; the status and the headers are the received ones, and headers may be absent.
import type { Configuration } from "../../limiter/core/config.ts";
import { UNLIMITED } from "../../limiter/core/decision.ts";
import { limiter, LOCAL_STORE_TRAITS, prepare } from "../../limiter/core/limiter.ts";
import { resolver } from "../../limiter/core/resolve/resolver.ts";
import { micros, SECOND } from "../../kit/units.ts";
import { gateway } from "../../gateway/gateway.ts";
import type { HeaderField } from "../../gateway/headers.ts";
import { UNDECIDED, type GatewayRequest, type RequestOutcome } from "../../gateway/outcome.ts";
import { route } from "../../gateway/route.ts";
import type { LimitHeaderNames } from "../implementations/manifest.ts";
import type { DecisionReason } from "../scenario/history.ts";
import { localStore, memoryStore } from "../../limiter/store/memory.ts";

/** Finds a request's outcome in the claimed world: key, API, and the limit if the request meets only one. */
export function createClaimResolver(
  configuration: Configuration,
  epochUs: number,
): (request: GatewayRequest) => RequestOutcome {
  const nowUs = micros(epochUs);
  const store = localStore(memoryStore(), memoryStore());
  const rules = limiter(resolver(configuration), store, LOCAL_STORE_TRAITS, null);
  const claimed = gateway(rules, () => nowUs);
  return (request) => {
    const routed = route(claimed, request, nowUs);
    if (routed.resolved === null) return routed;
    const { levels } = prepare(rules, routed.resolved, nowUs);
    const [level] = levels;
    return levels.length === 1 ? { ...routed, decision: { ...UNLIMITED, level: level! } } : routed;
  };
}

/** Keeps only the API and the key. */
export const withoutDecision = ({ api, session }: RequestOutcome): RequestOutcome => ({
  ...UNDECIDED,
  api,
  session,
});

/** The reason for each status with which a gateway rejects a request before any limit. */
const REASON_BY_STATUS: Readonly<Record<number, DecisionReason>> = {
  401: "credential",
  403: "access",
  404: "path",
};

export function reasonOf(status: number, refusal: number): DecisionReason {
  if (status === refusal || status === 429) return "rate";
  if (status < 400) return "none";
  return REASON_BY_STATUS[status] ?? "message";
}

const NUMBER = /^\d+(?:\.\d+)?$/;

/** The limit headers of a response under Weir's names. A missing or non-numeric value stays missing, never 0. */
export function limitHeaders(
  received: Readonly<Record<string, string | readonly string[] | undefined>>,
  { limit, remaining, reset, reset_is: resetIs, retry_after: retryAfter }: LimitHeaderNames,
  nowUs: number, // time of the response since 1970
): readonly HeaderField[] {
  const numberIn = (name: string | null): number | null => {
    const text = name === null ? undefined : received[name.toLowerCase()];
    return typeof text === "string" && NUMBER.test(text.trim()) ? Number(text) : null;
  };
  const resetIn = numberIn(reset);
  const resetS =
    resetIn === null
      ? null
      : resetIs === "seconds"
        ? nowUs / SECOND + resetIn
        : resetIs === "epoch_milliseconds"
          ? resetIn / 1_000
          : resetIn;
  const fields = [
    ["x-ratelimit-limit", numberIn(limit)],
    ["x-ratelimit-remaining", numberIn(remaining)],
    ["x-ratelimit-reset", resetS],
    ["retry-after", numberIn(retryAfter)],
  ] as const;
  return fields.flatMap(([name, value]) => (value === null ? [] : [[name, `${value}`] as const]));
}

// The headers that programs add to refusals, by their documentation. Headers of remaining requests are not known.
import type { HeaderField } from "../../gateway/headers.ts";
import type { ReadRule } from "../implementations/reading.ts";

/** Programs with `Retry-After` in refusals: the seconds until a request can be admitted, rounded up. */
const WITH_RETRY_AFTER: ReadonlySet<string> = new Set(["caddy", "cloudflare", "kong", "traefik"]);

/** `kind` is a program. */
export const sendsRetryAfter = (kind: string): boolean => WITH_RETRY_AFTER.has(kind);

/** Envoy marks refusals of a service for all its instances, and none of its local limits. */
const OF_A_SERVICE: readonly HeaderField[] = [["x-envoy-ratelimited", "true"]];

/** The headers that do not depend on the request. */
export const headersOfRefusal = (
  kind: string,
  { sharesCounters }: Pick<ReadRule, "sharesCounters">,
): readonly HeaderField[] =>
  kind === "envoy-ratelimit" || (kind === "envoy-gateway" && sharesCounters === true)
    ? OF_A_SERVICE
    : [];

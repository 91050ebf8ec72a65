// Premises of the sentences of weir recommend about a promise that is not kept.
import { withAdvice, withOutliers } from "./recommend-documents.ts";
import { ONE, outlier, STARVED, THREE, type BrokenPremise } from "./recommend-premises.ts";

export const BROKEN_PROMISES: readonly BrokenPremise[] = [
  ["breach", "there are outliers", ONE, withAdvice(ONE, { outliers: null }), /^$/],
  [
    "breach",
    "too many requests are refused",
    ONE,
    { ...ONE, target: { requests: 1, clients: 0 } },
    /^That is .+ % of all clients, above your 0 %: take \d+ if 192\.0\.2\.3 is a customer\.$/,
  ],
  ["breach", "too much is refused", ONE, { ...ONE, target: { requests: 1, clients: 1 } }, /^$/],
  [
    "breach",
    "it is one client",
    ONE,
    withOutliers(ONE, { clients: ["a", "b"].map(outlier) }),
    /if a and b are customers\.$/,
  ],
  ["alternatives", "there are two windows", ONE, { ...ONE, advice: ONE.advice.slice(0, 1) }, /^$/],
  ["mean", "a client sends more in the long run", STARVED, THREE, /^$/],
  ["mean", "no request is bad", STARVED, { ...STARVED, badRequests: 1 }, /^$/],
  ["mean", "each client has a limit", STARVED, { ...STARVED, key: "none" }, /all clients send/],
];

// Premises of the sentences of weir recommend about a promise that is not kept.
import { withAdvice, withOutliers } from "./recommend-documents.ts";
import {
  LONGER,
  NEAR,
  ONE,
  outlier,
  SET,
  STARVED,
  THREE,
  type BrokenPremise,
} from "./recommend-premises.ts";

const withTogether = (change: Partial<NonNullable<typeof SET.together>>): typeof SET => ({
  ...SET,
  together: { ...SET.together!, ...change },
});

/** Without outliers. */
const alone: typeof withTogether = (change) => ({
  ...withTogether(change),
  advice: SET.advice.map((each) => ({ ...each, outliers: null })),
});

const ABOVE = withAdvice(ONE, { rate: 10, above: { client: "a", mean: 10.4, clients: 1 } });

export const BROKEN_PROMISES: readonly BrokenPremise[] = [
  ["breach", "there are outliers", ONE, withAdvice(ONE, { outliers: null }), /^$/],
  [
    "breach",
    "too many requests are refused",
    ONE,
    { ...ONE, target: { requests: 1, clients: 0 } },
    /^That is .+ % of all clients, above the 0 % of the target: take \d+ if it is a customer \(--with-outliers\)\.$/,
  ],
  ["breach", "too much is refused", ONE, { ...ONE, target: { requests: 1, clients: 1 } }, /^$/],
  [
    "breach",
    "it is one client",
    ONE,
    withOutliers(ONE, { clients: ["a", "b"].map(outlier) }),
    /if they are customers \(--with-outliers\)\.$/,
  ],
  ["together", "there are two windows", SET, { ...SET, together: null }, /^$/],
  [
    "together",
    "the target is met",
    SET,
    { ...SET, ship: [0], shipped: SET.together },
    /^Both limits together would refuse .+, more than the target allows\. This one refuses .+\.$/,
  ],
  [
    "together",
    "the others lose nothing",
    SET,
    withTogether({ refusedOfOthers: 9, refusedOtherClients: 2, mostAlone: 5 }),
    /, and 9 of the 22 of the others \(2 of 11 clients\)\.$/,
  ],
  [
    "together",
    "one alone refuses fewer",
    alone({ refusedOfOthers: 9, refusedClients: 2, mostAlone: 5 }),
    alone({ refusedOfOthers: 9, refusedClients: 2, mostAlone: 9 }),
    /clients, as many as the strictest alone refuses\.$/,
  ],
  [
    "together",
    "one alone refuses fewer",
    alone({ refusedOfOthers: 9, refusedClients: 2, mostAlone: 5 }),
    alone({ refusedOfOthers: 9, refusedClients: 2, mostAlone: 12 }),
    /clients, 3 fewer than the strictest alone refuses\.$/,
  ],
  [
    "together",
    "there are outliers",
    withTogether({ refusedOfOthers: 9, refusedClients: 2, mostAlone: 9 }),
    alone({ refusedOfOthers: 9, refusedClients: 2, mostAlone: 9 }),
    /^They are of 2 of 12 clients, as many as the strictest alone refuses\.$/,
  ],
  ["together", "no request is bad", SET, { ...SET, badRequests: 1 }, /that are not bad, and none/],
  [
    "too-long",
    "the log is no sample",
    LONGER,
    { ...LONGER, coverage: { ...LONGER.coverage, doubt: "few minutes", busyMinutes: 84 } },
    /^There is no recommendation per minute: the log has most requests in single minutes, and does not show/,
  ],
  ["mean", "a client sends more in the long run", STARVED, THREE, /^$/],
  ["mean", "no request is bad", STARVED, { ...STARVED, badRequests: 1 }, /^$/],
  [
    "mean",
    "each client has a limit",
    STARVED,
    { ...STARVED, key: "none" },
    /^All clients together are at .+: they send /,
  ],
  ["closest", "some client is refused nothing", NEAR, withAdvice(NEAR, { closest: null }), /^$/],
  [
    "closest",
    "no other client loses anything",
    withAdvice(NEAR, { closest: { client: "a", peak: 2, mean: 0.4 } }),
    withAdvice(NEAR, {
      closest: { client: "a", peak: 2, mean: 0.4 },
      mostRefused: { client: "b", requests: 30, refused: 21, peak: 61 },
    }),
    /^B loses most of the others: 21 requests, for it needs 61 at the peak\.$/,
  ],
  [
    "closest",
    "it sends much on average",
    NEAR,
    withAdvice(NEAR, { closest: { client: "a", peak: 2, mean: 0.4 } }),
    /^Closest to it is a, in bursts alone: it needs 2 at the peak and sends 0\.4 per 4 seconds on average\.$/,
  ],
  [
    "closest",
    "it sends a tenth or more",
    withAdvice(NEAR, { closest: { client: "a", peak: 2, mean: 0.4 } }),
    withAdvice(NEAR, { closest: { client: "a", peak: 2, mean: 0.04 } }),
    /it needs 2 at the peak and sends less than 0\.1 per 4 seconds on average\.$/,
  ],
  [
    "closest",
    "it sends in bursts",
    withAdvice(NEAR, { closest: { client: "a", peak: 2, mean: 0.9 } }),
    withAdvice(NEAR, { closest: { client: "a", peak: 2, mean: 1.1 } }),
    /^Closest to it is a, which needs 2 at the peak and sends 1\.1 per 4 seconds on average \(.+ of the limit\)\.$/,
  ],
  [
    "closest",
    "each client has a limit",
    withAdvice(ONE, { closest: { client: "a", peak: 2, mean: 0.4 } }),
    withAdvice({ ...ONE, key: "none" }, { closest: { client: "a", peak: 2, mean: 0.4 } }),
    /^All clients together, in bursts alone: they need 2 at the peak and send 0\.4 per 4 seconds on average\.$/,
  ],
  [
    "closest",
    "it sends less than the limit",
    withAdvice(ONE, { rate: 10, closest: { client: "a", peak: 2, mean: 9.6 } }),
    withAdvice(ONE, { rate: 10, closest: { client: "a", peak: 2, mean: 10.4 } }),
    /^$/,
  ],
  ["above", "it sends more than the limit", ABOVE, withAdvice(ABOVE, { above: null }), /^$/],
  [
    "above",
    "it is one client",
    ABOVE,
    withAdvice(ABOVE, { above: { client: "a", mean: 10.4, clients: 3 } }),
    /^At least 3 clients send more than the limit on average, a at least 10\.4 per 4 seconds: in a longer log they lose more, as the target allows/,
  ],
  [
    "above",
    "each client has a limit",
    ABOVE,
    { ...ABOVE, key: "none" },
    /^All clients together send at least 10\.4 per 4 seconds on average, above the limit: in a longer log they lose more, as the target allows/,
  ],
];

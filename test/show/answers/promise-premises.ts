// Premises of the sentences of weir recommend about a promise that is not kept.
import { withAdvice, withOutliers } from "./recommend-documents.ts";
import { ONE, outlier, STARVED, THREE, type BrokenPremise } from "./recommend-premises.ts";

const withTogether = (change: Partial<NonNullable<typeof ONE.together>>): typeof ONE => ({
  ...ONE,
  together: { ...ONE.together!, ...change },
});

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
  ["together", "there are two windows", ONE, { ...ONE, together: null }, /^$/],
  [
    "together",
    "there are two windows",
    ONE,
    { ...ONE, advice: [...ONE.advice, ...ONE.advice] },
    /^You can ship all 4 limits: /,
  ],
  [
    "together",
    "the promise is kept",
    ONE,
    withTogether({ isMet: false }),
    /^Ship one of these 2 limits, not all: .+, which breaks the promise\.$/,
  ],
  [
    "together",
    "the others lose nothing",
    ONE,
    withTogether({ refusedOfOthers: 9, refusedOtherClients: 2, mostAlone: 5 }),
    /, and 9 of the 22 of the others \(2 of 11 clients\), 4 more than the strictest alone\.$/,
  ],
  [
    "together",
    "one alone refuses fewer",
    withTogether({ refusedOfOthers: 9, refusedOtherClients: 2, mostAlone: 5 }),
    withTogether({ refusedOfOthers: 9, refusedOtherClients: 2, mostAlone: 9 }),
    /, as many as the strictest alone\.$/,
  ],
  [
    "together",
    "one alone refuses fewer",
    withTogether({ refusedOfOthers: 9, refusedOtherClients: 2, mostAlone: 5 }),
    withTogether({ refusedOfOthers: 9, refusedOtherClients: 2, mostAlone: 12 }),
    /, 3 fewer than the strictest alone\.$/,
  ],
  [
    "together",
    "there are outliers",
    ONE,
    { ...ONE, advice: ONE.advice.map((each) => ({ ...each, outliers: null })) },
    /^You can ship both limits: together they refuse none of the \d+ requests\.$/,
  ],
  ["together", "no request is bad", ONE, { ...ONE, badRequests: 1 }, /that are not bad, and none/],
  ["mean", "a client sends more in the long run", STARVED, THREE, /^$/],
  ["mean", "no request is bad", STARVED, { ...STARVED, badRequests: 1 }, /^$/],
  ["mean", "each client has a limit", STARVED, { ...STARVED, key: "none" }, /all clients send/],
];

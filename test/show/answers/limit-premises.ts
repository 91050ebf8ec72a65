// Premises of the first sentence of weir recommend.
import { withAdvice, withChosen, withOutliers } from "./recommend-documents.ts";
import { ONE, outlier, SET, THREE, type BrokenPremise } from "./recommend-premises.ts";

export const BROKEN_LIMITS: readonly BrokenPremise[] = [
  ["limit", "one client alone raises it", ONE, withAdvice(ONE, { outliers: null }), /: it refuses/],
  [
    "limit",
    "it is one client",
    ONE,
    withOutliers(ONE, { clients: ["a", "b"].map(outlier) }),
    /only 2 clients need more; with them the limit would be \d+\.$/,
  ],
  [
    "limit",
    "no other client needs more",
    ONE,
    withOutliers(ONE, { othersPeak: 99 }),
    /token bucket: 192\.0\.2\.3 alone would raise it to \d+\.$/,
  ],
  [
    "limit",
    "it needs more",
    ONE,
    withOutliers(ONE, { needMore: false }),
    /token bucket: 192\.0\.2\.3 alone would raise it to \d+\.$/,
  ],
  [
    "limit",
    "it is named",
    ONE,
    withOutliers(ONE, { clients: ["a", "b", "c", "d"].map(outlier) }),
    /only 4 clients need/,
  ],
  [
    "limit",
    "it is of this rate",
    ONE,
    withAdvice(ONE, { rate: 77 }),
    /^Limit each client to 77 per 4 seconds/,
  ],
  ["limit", "each client has a limit", ONE, { ...ONE, key: "none" }, /^Limit all clients together/],
  [
    "limit",
    "nothing is refused",
    THREE,
    withChosen(THREE, { refused: 5, refusedClients: 2 }),
    /refuses 5 of \d+ requests \(\d+\.\d %\), of 2 of 12 clients\.$/,
  ],
  ["limit", "no request is bad", THREE, { ...THREE, badRequests: 1 }, /requests that are not bad/],
  [
    "limit",
    "times within a second do not matter",
    THREE,
    withAdvice({ ...THREE, timestamps: "whole seconds" }, { placedRate: 77 }),
    /^Limit each client to \d+ per 4 seconds \(77 for any timing in a second\) by/,
  ],
  [
    "limit",
    "some rate is enough for all times within a second",
    THREE,
    withAdvice({ ...THREE, timestamps: "whole seconds" }, { placedRate: null }),
    /^Limit each client to \d+ per 4 seconds \(none for any timing in a second\) by/,
  ],
  [
    "limit",
    "times within a second were searched",
    withAdvice({ ...THREE, timestamps: "whole seconds" }, { placedRate: 77 }),
    withAdvice(
      {
        ...THREE,
        timestamps: "whole seconds",
        cut: { searched: 3, of: 3, isPlaced: true, isAdvised: false },
      },
      { placedRate: null },
    ),
    /^Limit each client to \d+ per 4 seconds by/,
  ],
  [
    "limit",
    "there are several requests",
    THREE,
    { ...THREE, requests: 1 },
    /none of the 1 request\.$/,
  ],
  [
    "limit",
    "there is one window",
    ONE,
    SET,
    /^Ship \d+ per 4 seconds and \d+ per 10 seconds for each client by a token bucket: 192\.0\.2\.3 alone would raise both\.$/,
  ],
  [
    "limit",
    "all limits are shipped",
    SET,
    { ...SET, ship: [0], shipped: SET.together },
    /^Ship \d+ per 4 seconds, but not \d+ per 10 seconds, for each client by a token bucket: 192\.0\.2\.3 alone would raise it\.$/,
  ],
];

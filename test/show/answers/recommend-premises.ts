// Premises of the sentences of weir recommend: documents with a sentence, and what is left of it without the premise.
import {
  documentOf,
  drawOf,
  FILES,
  withAdvice,
  withChosen,
  withOutliers,
  withOthers,
  type Document,
} from "./recommend-documents.ts";

/** One client sends much more than the others; three do, which are too many for outliers; one, and some requests are bad. */
export const ONE = await documentOf(drawOf([3]));
export const SET = await documentOf({ ...drawOf([3]), windowsS: [10, 4] });
const INCLUDED = await documentOf({ ...drawOf([3]), keepsOutliers: true });
export const STARVED = await documentOf(drawOf([3, 4, 5]));
export const THREE = withChosen(withAdvice(STARVED, { longRun: null }), { below: "requests" });
export const LONGER = await documentOf({ ...drawOf([3]), windowsS: [4, 60] });
/** Each client sends three requests at once, so that a log admits fewer than a bucket. */
export const BURST_REQUESTS = drawOf([3]).requests.flatMap((each) => [each, each, each]);
export const BURSTS = await documentOf({ ...drawOf([3]), requests: BURST_REQUESTS });
export const WITHOUT = await documentOf({ ...drawOf([3]), leavesOut: true });
export const LABELLED = await documentOf(drawOf([3], true));

/** A client is at 95 % of the limit, and needs all of it at its peak. */
export const NEAR = withAdvice(ONE, { rate: 10, closest: { client: "a", peak: 10, mean: 9.5 } });

export const outlier = (client: string) => ({ client, requests: 9, peak: 9, refused: 3 });
const LONG = { firstAt: "2026-01-01T00:00:00.000Z", lastAt: "2026-01-07T23:59:59.000Z" };
const NO_ADVICE = { ...ONE, advice: [], choice: null };
const CUT = {
  ...ONE,
  advice: [],
  cut: { searched: 6, of: 6, isPlaced: true, isAdvised: false },
};

/** The id of a sentence, a document with it, its premise broken, and what is left of the sentence. */
export type BrokenPremise = readonly [
  id: string,
  premise: string,
  before: Document,
  after: Document,
  text: RegExp,
];

export const BROKEN: readonly BrokenPremise[] = [
  [
    "loss",
    "it sent several requests",
    ONE,
    withOutliers(ONE, { requests: ONE.requests - 1 }),
    /of the 1 request of this client, /,
  ],
  ["loss", "there are outliers", ONE, withAdvice(ONE, { outliers: null }), /^$/],
  [
    "loss",
    "others lose nothing",
    ONE,
    withOutliers(ONE, { refused: 1, refusedClients: 1 }),
    /and 1 of the \d+ of the others \(1 of 11 clients\)\.$/,
  ],
  [
    "outliers",
    "there are several",
    withOutliers(ONE, { clients: ["a", "b"].map(outlier) }),
    ONE,
    /^$/,
  ],
  [
    "outliers",
    "each needs as much, and loses as large a part",
    withOutliers(ONE, { clients: ["a", "b"].map(outlier) }),
    withOutliers(ONE, {
      clients: [
        { client: "a", requests: 40, peak: null, refused: 30 },
        { client: "b", requests: 9, peak: 7, refused: 0 },
      ],
    }),
    /^A needs more than any rate at the peak \(75\.0 % refused\) and b 7 \(0 %\)\.$/,
  ],
  [
    "outliers",
    "few are named",
    withOutliers(ONE, { clients: ["a", "b"].map(outlier) }),
    withOutliers(ONE, { clients: ["a", "b", "c", "d"].map(outlier) }),
    /^These 4 need 9 \(d\) to 9 \(a\) at their peaks\.$/,
  ],
  ["left-out", "a client is left out", WITHOUT, { ...WITHOUT, leftOut: [] }, /^$/],
  [
    "left-out",
    "few are named",
    WITHOUT,
    {
      ...WITHOUT,
      leftOut: ["a", "b", "c", "d"].map((client) => ({ client, requests: 9, refused: 2 })),
    },
    /^Left out: 4 clients, with 36 requests, of which the limit refuses 8\.$/,
  ],
  [
    "price",
    "another refuses more",
    BURSTS,
    withOthers(BURSTS, (own) => ({ ...own, refused: own.refused - 1 })),
    /^The price: at .*, a token bucket refuses none of the others and \d+ of this client; a fixed window none/,
  ],
  [
    "price",
    "another refuses more",
    BURSTS,
    withOthers(BURSTS, (own) => own),
    /^No other of the 3 algorithms compared refuses fewer at .*; a fixed window refuses as many\.$/,
  ],
  [
    "price",
    "others count before outliers",
    withOthers(BURSTS, (own) => ({ refused: own.refused + 9, refusedOfOthers: 2 })),
    withOthers(BURSTS, () => ({ refused: 11, refusedOfOthers: 2 })),
    /^No other of the 3 algorithms compared refuses fewer at .*: a fixed window refuses 2 of the others and 9 of this client/,
  ],
  [
    "price",
    "there are outliers",
    BURSTS,
    withAdvice(BURSTS, { outliers: null }),
    /a \w+ \w+ refuses \d+ requests\.$/,
  ],
  [
    "price",
    "there are others",
    BURSTS,
    withAdvice(BURSTS, {
      atRate: BURSTS.advice[0]!.atRate.filter(
        ({ candidate }) => candidate === BURSTS.advice[0]!.candidate,
      ),
    }),
    /^$/,
  ],
  [
    "price",
    "some requests are bad",
    LABELLED,
    { ...LABELLED, badRequests: 0 },
    /per 4 seconds[:;]/,
  ],
  ["most", "the most is known", BURSTS, withAdvice(BURSTS, { mostInWindow: null }), /^$/],
  [
    "most",
    "a log admits less",
    BURSTS,
    withAdvice(BURSTS, { rival: null }),
    /at most \d+ requests of a client\.$/,
  ],
  [
    "most",
    "a log admits less",
    BURSTS,
    withAdvice(BURSTS, { rival: { ...BURSTS.advice[0]!.rival!, mostInWindow: 99 } }),
    /at most \d+ requests of a client\.$/,
  ],
  [
    "most",
    "it does not count refusals",
    BURSTS,
    withAdvice(withChosen(BURSTS, { algorithm: "sliding_log" }), {
      rival: { ...BURSTS.advice[0]!.rival!, candidate: 0, mostInWindow: 99 },
    }),
    /; a fixed window, which counts no refusals, admits up to 99 for the same target\.$/,
  ],
  [
    "most",
    "each client has a limit",
    BURSTS,
    { ...BURSTS, key: "none" },
    /admits at most \d+ requests; a/,
  ],
  ["window", "there are two windows", SET, ONE, /^$/],
  [
    "window",
    "one client raises each",
    SET,
    {
      ...SET,
      advice: SET.advice.map((each, at) => (at === 0 ? each : { ...each, outliers: null })),
    },
    /^Per 4 seconds the limit is \d+: only 192\.0\.2\.3 needs more; with it the limit would be \d+\.$/,
  ],
  [
    "window",
    "it has outliers",
    SET,
    { ...SET, advice: SET.advice.map((each) => ({ ...each, outliers: null })) },
    /^$/,
  ],
  ["included", "the limit is for all clients", INCLUDED, ONE, /^$/],
  ["too-long", "a window is longer than the log", LONGER, { ...LONGER, tooLong: [] }, /^$/],
  [
    "too-long",
    "it is one window",
    LONGER,
    { ...LONGER, tooLong: [3_600_000_000, 60_000_000] },
    /^There is no recommendation per hour and minute: the log covers \d+ seconds/,
  ],
  ["bad", "some requests are bad", LABELLED, { ...LABELLED, badRequests: 0 }, /^$/],
  [
    "draws",
    "there are outliers",
    ONE,
    withAdvice(ONE, { outliers: null }),
    /draws of the 12 clients, 95 % need/,
  ],
  [
    "draws",
    "there are several clients",
    THREE,
    withChosen(THREE, { interval: null }),
    /^With one client/,
  ],
  ["draws", "each client has a limit", THREE, { ...THREE, key: "none" }, /^$/],
  ["below", "no client is an outlier", THREE, ONE, /^$/],
  [
    "below",
    "requests decide",
    THREE,
    withChosen(THREE, { below: "clients" }),
    /would refuse requests of over 0 % of the clients\.$/,
  ],
  ["below", "no request is bad", THREE, { ...THREE, badRequests: 1 }, /^$/],
  [
    "below",
    "refusals in the log decide",
    { ...THREE, key: "none" },
    withChosen({ ...THREE, key: "none" }, { below: "long run" }),
    /^$/,
  ],
  [
    "again",
    "the log is short",
    ONE,
    { ...ONE, ...LONG },
    /^The log covers 7 days: search again after as long/,
  ],
  ["ship", "no file is written", THREE, { ...THREE, files: FILES }, /^$/],
  ["files", "there are outliers", { ...ONE, files: FILES }, { ...THREE, files: FILES }, /^$/],
  ["ship", "something can have it", THREE, { ...THREE, canShipTo: [] }, /^$/],
  [
    "ship",
    "programs can have it",
    THREE,
    { ...THREE, canShipTo: ["serve"] },
    /^The same command with --out FOLDER writes it down for weir serve\.$/,
  ],
  [
    "ship",
    "there is one limit",
    ONE,
    SET,
    /^The same command with --out FOLDER writes these limits down for weir serve, one in each file, and --to for nginx and envoy\.$/,
  ],
  [
    "files",
    "the world is written",
    { ...ONE, files: FILES },
    { ...ONE, files: FILES.map((each) => ({ ...each, isWritten: false })) },
    /^$/,
  ],
  ["interrupted", "a rate was found", CUT, { ...CUT, choice: null }, /^$/],
  [
    "interrupted",
    "outliers were not searched",
    CUT,
    { ...CUT, cut: { ...CUT.cut, isPlaced: false } },
    /but only for requests spread evenly within their seconds: \d+ per 4 seconds by/,
  ],
  [
    "draws",
    "draws differ",
    THREE,
    withChosen(THREE, { interval: { low: 12, high: 12 } }),
    /^Other clients would hardly move it: .+ 95 % need 12 per 4 seconds\.$/,
  ],
  [
    "draws",
    "draws have a rate",
    THREE,
    withChosen(THREE, { interval: { low: null, high: null } }),
    /almost none has a rate that meets the target per 4 seconds\.$/,
  ],
  ["no-limit", "no candidate meets the target", NO_ADVICE, ONE, /^$/],
  [
    "no-limit",
    "all were searched",
    NO_ADVICE,
    { ...NO_ADVICE, cut: { searched: 1, of: 3, isPlaced: false, isAdvised: false } },
    /1 of 3 candidates were searched\.$/,
  ],
  [
    "no-limit",
    "each client has a limit",
    NO_ADVICE,
    { ...NO_ADVICE, key: "none" },
    /more than 0 % of the requests, or choose/,
  ],
];

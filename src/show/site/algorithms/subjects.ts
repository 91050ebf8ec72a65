// The subjects of the pages in the section "Algorithms": their words, and where all other content is found.
import type { Algorithm } from "../../../limiter/core/algorithms.ts";

export interface Subject {
  readonly id: string; // id of its page and of its live limit
  readonly title: string;
  readonly about: string; // one sentence
  readonly algorithm: Algorithm | null; // null if it works with several algorithms
  readonly paragraphs: readonly [what: string, how: string, choose: string]; // Markdown
  /** Ids of requirements, their groups ("SMO"), or sections of the specification. */
  readonly requirements: readonly string[];
  readonly heading: string; // its heading on the page "Semantics"
  /** The worst case of a subject that decides nothing itself: a scenario of the suite, such as smoothing/climbs. */
  readonly worst?: { readonly scenario: string; readonly sentences: readonly string[] };
}

const COMPARED = ["ALG-C9", "LIM-C11"] as const;

export const SUBJECTS: readonly Subject[] = [
  {
    id: "fixed-window",
    title: "Fixed window",
    about: "Counts admitted requests in windows that begin anew, and forgets the one before.",
    algorithm: "fixed_window",
    paragraphs: [
      "A fixed window counts the requests that it admits. When the count reaches `rate`, it refuses the rest until the window ends. The next window starts from zero, whatever happened before.",
      "The first request opens the window. With `fixed_window_start: clock`, windows begin at multiples of `per` instead, for all clients at the same instant. A refused request is not counted, so a client that keeps sending is admitted again at the next window.",
      "Choose it for its price: one counter for each key, under any traffic. Its weakness is the edge. A client that sends late in one window and early in the next gets almost twice the rate in a short time.",
    ],
    requirements: ["Algorithms, fixed window", "LIM-C11"],
    heading: "fixed-window",
  },
  {
    id: "sliding-log",
    title: "Sliding log",
    about: "Keeps the time of each attempt, refused ones too, for one period.",
    algorithm: "sliding_log",
    paragraphs: [
      "A sliding log stores the time of every attempt. It admits a request if fewer than `rate` attempts are younger than `per`. No window of that length, wherever it begins, sees more than `rate` admitted requests.",
      "Refused attempts are stored as well. A client that retries faster than its limit therefore stays refused, until it slows down for as long as `per`. This is the behaviour that surprises users most.",
      "Choose it if an upstream must never see more than the limit, and if clients honour Retry-After. It costs memory and store operations for each attempt, so an attack on one key is expensive. A bounded log decides alike at a lower price.",
    ],
    requirements: ["Algorithms, sliding log", "LIM-C11"],
    heading: "sliding-log",
  },
  {
    id: "non-transactional",
    title: "Non-transactional log",
    about: "A sliding log whose commands are sent as a pipeline, with other requests in between.",
    algorithm: "non_transactional",
    paragraphs: [
      "This is the sliding log, sent to the store as a pipeline. The store executes the commands one after the other, and commands of other requests may come between them.",
      "A request counts first and is written then. If several requests count before any of them is written, each finds the same free place, and all are admitted. One request at a time is decided as by the log.",
      "The pipeline needs no transaction, which some stores charge for or do not have. Choose it only where a few requests above the limit do no harm. They grow with the requests that are under way together.",
    ],
    requirements: ["Algorithms, non-transactional", "LIM-C11"],
    heading: "non-transactional",
  },
  {
    id: "sentinel",
    title: "Sentinel",
    about: "Reads one mark before the response, and writes the log after it.",
    algorithm: "sentinel",
    paragraphs: [
      "A sentinel reads a single mark before the response. If the mark is set, the request is refused; otherwise it is admitted. The sliding log is written in the background, and sets the mark when the limit is reached.",
      "The client does not wait for the log. Requests that arrive before the first write find no mark, and all of them are admitted. Without requests under way together, the decisions are those of the log.",
      "It moves work from before the response to after it, and causes more work in all. Choose it if latency matters more than the exact limit, and if the store has capacity left.",
    ],
    requirements: ["Algorithms, sentinel", "LIM-C11"],
    heading: "sentinel",
  },
  {
    id: "drl",
    title: "Distributed rate limiter (DRL)",
    about: "Each gateway enforces its share of the limit for itself, without a store.",
    algorithm: "drl",
    paragraphs: [
      "With the distributed rate limiter, no request waits for a store. Each gateway divides `rate` by the number of active gateways, rounds down, and enforces this share in fixed windows of its own. A share is at least one request.",
      "Gateways know of each other by heartbeats. After a crash, the others count the lost gateway as active until its last heartbeat expires, and the fleet admits less for that time. A gateway that joins lowers the share of all others.",
      "Choose it for high rates and a balancer that distributes evenly. If one gateway gets most requests of a client, the client is refused although the fleet has room. With a low rate and many gateways, the shares of at least one add up to more than the limit.",
    ],
    requirements: ["Algorithms, DRL", "LIM-C11"],
    heading: "drl",
  },
  {
    id: "token-bucket",
    title: "Token bucket",
    about: "Holds tokens that refill evenly; each admitted request takes one.",
    algorithm: "token_bucket",
    paragraphs: [
      "A token bucket holds at most `rate` tokens, and refills evenly with `rate` tokens in each `per`. An admitted request takes one token. A request that finds none is refused and takes nothing.",
      "A client that was idle has a full bucket, and may send `rate` requests at once. Afterwards it is admitted at the pace of the refill. There are no edges between windows, so no instant is better than another.",
      "Choose it for clients that work in bursts. The price is what follows a full burst: in the same `per`, the refill admits almost another `rate`. An upstream has to take nearly twice the limit for that long.",
    ],
    requirements: COMPARED,
    heading: "token-bucket",
  },
  {
    id: "gcra",
    title: "GCRA",
    about: "Spaces requests evenly, and allows a burst of a chosen size.",
    algorithm: "gcra",
    paragraphs: [
      "The generic cell rate algorithm spaces requests: one for each `per / rate`. It stores a single time, at which the next request is due. A request that comes too early is refused and changes nothing.",
      "`burst` is the number of requests that may come at once, by default one. With `burst: rate` it decides exactly as a token bucket does. A small burst keeps traffic smooth and still forgives clients whose requests arrive unevenly.",
      "Choose it to protect an upstream from bursts with one number for each key. With the default burst, two requests of a browser at the same instant are too many, and one is refused. Most clients need a burst above one.",
    ],
    requirements: COMPARED,
    heading: "gcra",
  },
  {
    id: "leaky-bucket",
    title: "Leaky bucket",
    about:
      "Delays requests so that they leave at even distances, and refuses when its queue is full.",
    algorithm: "leaky_bucket",
    paragraphs: [
      "A leaky bucket lets requests leave at even distances, one for each `per / rate`. A request that comes sooner is admitted and waits in the gateway for its turn. If its queue is full, it is refused.",
      "The upstream sees no burst at all, and no window of `per` sees more than `rate` leave. The client sees latency in place of refusals. A client that leaves does not give its turn to the next one.",
      "Choose it for an upstream that needs an even flow, and for clients that can wait. Each waiting request holds a connection. With `queue: 0` nothing waits, and it decides as GCRA with a burst of one.",
    ],
    requirements: ["ALG-C10", "LIM-C11"],
    heading: "leaky-bucket",
  },
  {
    id: "sliding-window-counter",
    title: "Sliding window counter",
    about: "Estimates a sliding window from two counters on the clock.",
    algorithm: "sliding_window_counter",
    paragraphs: [
      "A sliding window counter has two counts of admitted requests: that of the present window on the clock, and that of the one before. The previous count weighs as much as the last `per` still overlaps its window.",
      "It assumes that the previous requests came evenly. If they all came at the end of their window, it takes them for older than they are, and admits too many. If they came at the beginning, it refuses too long.",
      "Choose it for an answer close to that of a log, at the price of a counter. It is the usual compromise of large gateways. For even traffic its error is small; the worst case below is what a client can reach on purpose.",
    ],
    requirements: COMPARED,
    heading: "sliding-window-counter",
  },
  {
    id: "bounded-log",
    title: "Bounded log",
    about: "A sliding log that stores only as many attempts as the limit has requests.",
    algorithm: "bounded_log",
    paragraphs: [
      "A bounded log decides as a sliding log does, and stores only the newest `rate` attempts. Older ones can change no decision as long as the limit stays the same.",
      "Refused attempts count, as in the full log. A client that does not slow down overwrites the log with its own refusals and stays refused. Its cost no longer grows with the flood.",
      "Choose it in place of the full log. They differ in one case: if the rate is raised, the bounded log knows fewer attempts than the new rate, and admits the difference at once.",
    ],
    requirements: COMPARED,
    heading: "bounded-log",
  },
  {
    id: "smoothing",
    title: "Smoothing",
    about: "Moves the limit itself between a threshold and the rate, in steps that follow demand.",
    algorithm: null,
    paragraphs: [
      "A smoothed limit has an allowance: the limit of the moment. It begins at `threshold` and changes by one `step` at a time, upwards when demand comes near it and downwards when demand falls. It never leaves the range from `threshold` to `rate`.",
      "Between two changes at least `delay` passes, in both directions. Demand is the number of attempts in the last `per`, refused ones included, so a refused client also raises the allowance. Each change emits one event.",
      "Choose it for upstreams that need time to scale. A slow ramp passes without a refusal, a sudden spike meets the threshold first. Only the algorithms that keep a log smooth; under others the setting does nothing, and a warning reports it.",
    ],
    worst: {
      scenario: "smoothing/a-blocked-client-climbs",
      sentences: [
        "No window admits more than the largest allowance, which is never above the rate: the bound is that of the algorithm. The worst case is that of a client.",
        "A client of 12 requests per second with a threshold of 4 sends 20 per second at once. The first 4 are admitted and the 136 after them are refused, although its rate would admit 12 in each second.",
        "Its refused attempts raise the allowance to 12 within four seconds, and keep the log full at the same time.",
      ],
    },
    requirements: ["SMO", "EVT-1"],
    heading: "smoothing",
  },
  {
    id: "merging",
    title: "Merging of policies",
    about: "How several policies of one key become one limit.",
    algorithm: null,
    paragraphs: [
      "A key can have several policies, and each may have a limit. The policy with the highest `rate / per` supplies both numbers. At a tie, the first one listed applies.",
      "Numbers of different policies are never combined. The largest rate with the shortest period would be a limit that no policy contains. Smoothing comes from the winner too, and a policy that wins nothing is reported.",
      "The limit of a policy is one budget over all its APIs, and a separate budget for each key. A limit for one API inside a policy competes for that API alone. To check a merge, read the effective limits on the report of a run.",
    ],
    requirements: ["LIM-3", "LIM-4", "LIM-5", "LIM-C4", "LIM-C5", "LIM-C6", "LIM-C7", "LIM-C14"],
    heading: "merging-policies",
  },
  {
    id: "headers",
    title: "Headers",
    about: "What responses advertise about a limit, and when a refused client may return.",
    algorithm: null,
    paragraphs: [
      "Every refusal with 429 has `Retry-After`: whole seconds, rounded up, after which a client that sends nothing else is admitted. If several levels refuse, it is the longest of their waits.",
      "`rate_limit_headers` selects the fields with limit, remaining requests and reset: the older `X-RateLimit` fields, those of the IETF draft, both or none. They describe the limit that refused, or else the one with the fewest requests left.",
      "A header helps only clients that read it. Those in the chart return after exactly the announced wait, and the algorithm decides whether all of them are then admitted together. `weir lint` compares the headers of a server with its decisions.",
    ],
    requirements: ["HDR"],
    heading: "headers",
  },
  {
    id: "retries",
    title: "Retries",
    about: "What refused clients do next, and what that does to the limit.",
    algorithm: null,
    paragraphs: [
      "A refused client usually tries again, and these attempts meet the same limit. Whether they count decides everything. A window or a bucket ignores refused attempts; a log counts them.",
      "Clients that were refused together and wait equally long return together. Jitter spreads them. A backoff that doubles its waits sends fewer attempts, and admits the last client later than one that reads `Retry-After`.",
      "Choose the behaviour of clients together with the algorithm. Under a log, a client that retries each second can stay refused for good, while one that honours `Retry-After` is admitted when it returns. Compare both with `weir try --retry`.",
    ],
    requirements: ["ALG-3", "ALG-4", "ALG-10", "HDR-C1"],
    heading: "what-counts",
  },
];

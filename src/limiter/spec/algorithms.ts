import { entries, type Requirement } from "./requirement.ts";

export const ALGORITHM_REQUIREMENTS: readonly Requirement[] = [
  ...entries("required", "built", [
    [
      "ALG-1",
      "Algorithms, DRL",
      "DRL takes over when a limit exceeds the threshold for each gateway; at or below it the store decides. With threshold 2 and 5 gateways that is above 10 a second.",
    ],
    [
      "ALG-2",
      "Algorithms, sliding log",
      "Unless another option is on, limits are kept by a sliding log in the store.",
    ],
    [
      "ALG-3",
      "Algorithms, sliding log",
      "Refused requests are entered into the log just as admitted ones.",
    ],
    [
      "ALG-4",
      "Algorithms, sliding log",
      "A client is let through again when it slows down below its limit, and stays blocked as long as it does not.",
    ],
    [
      "ALG-7",
      "Algorithms, non-transactional",
      "The non-transactional option sends its store commands as a pipeline.",
    ],
    [
      "ALG-8",
      "Algorithms, fixed window",
      "One counter with an expiry holds each window: the first requests up to the rate pass at once, the others are blocked to its end.",
    ],
    [
      "ALG-10",
      "Algorithms, fixed window",
      "A fixed window forgets: a client that keeps sending gets the full rate in every window.",
    ],
  ]),
  ...entries("informative", "built", [
    [
      "ALG-5",
      "Algorithms, sliding log",
      "The log costs more with more traffic and less with a shorter window.",
    ],
    [
      "ALG-6",
      "Algorithms, sentinel",
      "Under the sentinel fewer store commands run before the response, and more in all.",
    ],
    ["ALG-9", "Algorithms, fixed window", "The fixed window costs the same under any traffic."],
    [
      "ALG-11",
      "Algorithms, non-transactional",
      "The pipeline needs fewer commands than the transaction.",
    ],
  ]),
  ...entries("chosen", "built", [
    [
      "ALG-C1",
      "Algorithms",
      "Of several options the fixed window comes first, then the sentinel, DRL by its threshold, the log; a warning names those that lost. A threshold of 0 switches DRL off, and the comparison is strict and exact.",
    ],
    [
      "ALG-C2",
      "Algorithms, sliding log",
      "An attempt is in the window while it is younger than per. The log is counted first and written then, and attempts of the same instant are separate entries.",
    ],
    [
      "ALG-C3",
      "Algorithms, fixed window",
      "The first counted request opens the window, which excludes its end; refused requests are not counted. An option aligns windows to the clock.",
    ],
    [
      "ALG-C4",
      "Algorithms, DRL",
      "Each gateway gives out its share of the rate, at least one, in windows of its own. The share follows the number of gateways with a recent heartbeat.",
    ],
    [
      "ALG-C5",
      "Algorithms, sentinel",
      "A mark decides, and a background write sets it. Without overlap the decisions are the log's. A mark written under another allowance does not count: the log decides that request. An option keeps the mark that starves obedient clients.",
    ],
    [
      "ALG-C6",
      "Algorithms, non-transactional",
      "In a pipeline other requests may come between the commands, and the simulator tries those orders.",
    ],
    [
      "ALG-C7",
      "Algorithms, non-transactional",
      "A transaction is one script or, by option, the same commands between MULTI and EXEC.",
    ],
    [
      "ALG-C8",
      "Algorithms",
      "When the store fails, each gateway enforces its share, lets everything pass or denies, as the option has it; it uses the store again after new heartbeats, and emits an event for each change.",
    ],
    [
      "ALG-C9",
      "Algorithms",
      "Token bucket, GCRA, sliding window counter and bounded log are there for comparison, chosen by one option over all flags.",
    ],
    [
      "ALG-C10",
      "Algorithms",
      "The leaky bucket lets one request leave per per / rate. A request that comes sooner is delayed until its turn, as long as its queue has a place, and keeps the turn if its client leaves; beyond that it is refused until a place is free. No window of per sees more than the rate leave. Without a queue it decides as gcra.",
    ],
    [
      "ALG-C11",
      "Algorithms",
      "A profile sets the options and the differences of a limiter of others, for simulation. Without one every algorithm counts as it is specified.",
    ],
  ]),
];

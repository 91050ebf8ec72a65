import { entries, type Requirement } from "./requirement.ts";

export const LIMIT_REQUIREMENTS: readonly Requirement[] = [
  ...entries("required", "built", [
    [
      "LIM-1",
      "Limits, rule 1",
      "A window of length per admits rate requests. Whatever exceeds that is answered 429 until there is room again.",
    ],
    [
      "LIM-2",
      "Limits, rule 2",
      "API-level and key-level limits hold together. If the API-level one refuses, that is the answer, and nothing is taken from the key.",
    ],
    [
      "LIM-3",
      "Limits, rule 3",
      "The limit of a policy that covers several APIs is a single budget that one key spends on any mix of them.",
    ],
    [
      "LIM-4",
      "Limits, rule 4",
      "Keys made from the same policy have separate budgets, unless a pattern makes them one identity.",
    ],
    [
      "LIM-5",
      "Limits, rule 5",
      "Among several policies the one whose rate divided by per is largest gives the key both numbers; taking the largest of each is a defect.",
    ],
    [
      "LIM-6",
      "Limits, rule 6",
      "A limit inside a key's access right holds for that one API and is counted apart.",
    ],
    [
      "LIM-7",
      "Limits, rule 7",
      "An API definition's global_rate_limit is one budget that all clients of the API draw on.",
    ],
    [
      "LIM-8",
      "Limits, rule 8",
      "allowance never decides anything. Where it differs from rate, the configuration check warns.",
    ],
    ["LIM-9", "Limits, rule 9", "disable_rate_limit takes all rate limits off an API."],
    ["LIM-10", "Limits, rule 9", "A limit whose rate and per are both 0 does not exist."],
    [
      "LIM-11",
      "Limits, rule 10",
      "rate_limit_pattern builds the identity of a budget from metadata of the credential, parts joined by a bar.",
    ],
    ["LIM-12", "Limits, rule 10", "A pattern that comes out empty counts by credential."],
    ["LIM-13", "What the service does", "There are limits for keys, policies, APIs and endpoints."],
    [
      "LIM-14",
      "Limits, rule 10",
      "A pattern acts only when the credential has every metadata value that the pattern names.",
    ],
  ]),
  ...entries("chosen", "built", [
    [
      "LIM-C1",
      "Limits, rule 2",
      "There are two levels, and at each only the most specific limit counts. Every level is evaluated before any is spent, in one step where the store allows it; a refusal spends nothing but its own log entry.",
    ],
    [
      "LIM-C2",
      "Limits",
      "A rate of 0 over a window admits nothing; half a limit, a rate between 0 and 1, and numbers that are negative or not finite are errors. Rates are compared exactly, and a window admits the whole part.",
    ],
    [
      "LIM-C3",
      "Limits",
      "A window may be a fraction of a second, down to a millisecond, with every algorithm.",
    ],
    [
      "LIM-C4",
      "Limits, rule 5",
      "On equal effective rates the first policy listed stays, and smoothing comes from the winner alone. Unlimited wins over any number, and 0/0 is no candidate.",
    ],
    [
      "LIM-C5",
      "Limits, rule 5",
      "If a known policy supplies a root limit, the merged one replaces the key's own, which otherwise applies; if one supplies access, the key has the access of its policies only.",
    ],
    [
      "LIM-C6",
      "Limits, rules 5 and 6",
      "For each API the policies' own limits compete with the merged root; a winning own limit is counted for that API, a winning root is the key's one root budget. With policy_budgets: apart only the policies that name an API are merged for it, and the APIs that take their limit or quota from one policy share a budget of that policy.",
    ],
    [
      "LIM-C7",
      "Limits, rule 5",
      "Unknown policies are skipped with an event while another one is known; with none known the key is refused. One inactive policy makes its keys inactive.",
    ],
    [
      "LIM-C8",
      "Limits, rule 10",
      "The pattern comes from the merged metadata and is cut at bars before values go in; a missing value means the credential, and so do more than 4,096 letters of values and bars together. It names key-level budgets and the quota, and two identities never collide by accident. Who shares an identity shares a budget where window and smoothing are the same too, and is held to a rate of their own.",
    ],
    [
      "LIM-C9",
      "Resources, key",
      "A quota counts admitted requests from its first on. Throttling evaluates a refused request again after an interval, a bounded number of times, and spends at most once. In the limit of one API a quota is a further budget and throttling replaces the key's; of several policies the largest quota and the most patient throttling are taken whole.",
    ],
    [
      "LIM-C10",
      "Limits, rule 9",
      "Where a limit is missing, the next less specific one at its level takes its place. A rate of -1 is unlimited and ends the search.",
    ],
    [
      "LIM-C11",
      "Algorithms",
      "Each algorithm has its own ceiling for the requests that a window can see; the ceiling is reached and not passed.",
    ],
    [
      "LIM-C12",
      "Limits",
      "Every request that reaches the limiter is an attempt, whatever its method or outcome, and none is refunded. Without rate limiting an API still counts its quota.",
    ],
    [
      "LIM-C13",
      "Limits",
      "A limit may be a shadow: evaluated in a count of its own for admitted requests, reported as an event, never a refusal and never a replacement of another limit. Shadows merge and override each other as limits do.",
    ],
    [
      "LIM-C17",
      "Limits, rule 10",
      "An API, or the gateway for all of them, may count by the client's address or by a header instead of the credential; IPv6 counts by its network, and without the header the address counts. It is the identity of key-level budgets, and gives each identity a budget of its own at a keyless API; a limit that all clients share stays one budget. A pattern that evaluates decides instead, and quotas stay the credential's.",
    ],
    [
      "LIM-C14",
      "Limits, rule 5",
      "A policy whose partitions name access, rate or quota supplies only these, and what no policy supplies for an API stays the key's own: one that decides access or a quota alone never changes a rate. With per_api its root limits are those of each API that has none, and are no root.",
    ],
  ]),
  ...entries("chosen", "built", [
    [
      "LIM-C18",
      "Limits",
      "A request without a response is lost: no gateway took it, its gateway ended before it responded, its connection broke, or its client stopped waiting. It is a row of the history with its time and the reason, counts as offered, and is neither admitted, refused nor rejected. An expectation that all requests get a response fails. A client that backs off sends it again; one that waits for Retry-After gives up.",
    ],
    [
      "LIM-C19",
      "Limits",
      "A request costs 1 unit, or as many as its cost_header states (1 to 1000; any other text is 400). Every limit and quota counts units: all units of a request fit at every level, or it is refused and spends nothing, except that a log writes the attempt with its units (ALG-3). Remaining counts units, and Retry-After lasts until all of them fit; above the whole capacity no wait helps.",
    ],
  ]),
  ...entries("chosen", "built", [
    [
      "LIM-C15",
      "Management",
      "A warning names each policy that wins no merge of a key, and each limit that can be shown never to refuse, with what governs in its place.",
    ],
  ]),
  ...entries("chosen", "built", [
    [
      "LIM-C16",
      "Errors",
      "A request that a limit turns away is refused, with 429 or a quota's 403; any other that is turned away is rejected. Counts and reports keep them apart, and an expectation about limits that no request reached is vacuous and names the responses.",
    ],
  ]),
];

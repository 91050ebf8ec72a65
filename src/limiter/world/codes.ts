// Every code that the configuration check raises: its severity, its meaning in one sentence, and its
// requirement. The documentation is generated from this table, and a test raises each code.

interface CodeEntry {
  readonly severity: "error" | "warning";
  readonly meaning: string;
  readonly requirement: string;
}

const errorEntry = (requirement: string, meaning: string): CodeEntry => ({
  severity: "error",
  meaning,
  requirement,
});
const warningEntry = (requirement: string, meaning: string): CodeEntry => ({
  severity: "warning",
  meaning,
  requirement,
});

export const CODES = {
  "CFG-TYPE": errorEntry("MGT-C1", "A value has the wrong type."),
  "CFG-REQUIRED": errorEntry("MGT-C1", "A required field is missing."),
  "CFG-VALUE": errorEntry("MGT-C1", "A value has the right type, but is outside its range."),
  "CFG-CONFLICT": errorEntry("MGT-C1", "Two fields configure the same thing."),
  "CFG-UNKNOWN-FIELD": errorEntry(
    "MGT-C5",
    "A field is unknown here, or its name is close to a known one.",
  ),
  "CFG-UNUSED-FIELDS": warningEntry(
    "MGT-C5",
    "A pasted record has fields that are stored but have no effect.",
  ),
  "CFG-ID-DUPLICATE": errorEntry("MGT-C8", "Two records of one type have the same id."),
  "CFG-DURATION": errorEntry(
    "EPT-C4",
    "A duration is written in a way that this place does not accept.",
  ),

  "CFG-RATE-RANGE": errorEntry(
    "LIM-C2",
    "A rate is not finite, negative but not -1, or too large to be exact.",
  ),
  "CFG-RATE-DECIMALS": errorEntry("LIM-C2", "A rate has more than six decimals."),
  "CFG-RATE-FRACTION": errorEntry(
    "LIM-C2",
    "A rate is between 0 and 1; use a longer window and an integer.",
  ),
  "CFG-RATE-WITHOUT-PER": errorEntry("LIM-C2", "A rate has no window, or a window of 0."),
  "CFG-PER-WITHOUT-RATE": errorEntry("LIM-C2", "A window has no rate."),
  "CFG-PER-RANGE": errorEntry(
    "LIM-C3",
    "A window is shorter than 1 ms, longer than 100 years, or finer than a microsecond.",
  ),
  "CFG-ALLOWANCE-DIFFERS": warningEntry("LIM-8", "allowance and rate differ; only rate decides."),

  "CFG-SMOOTHING-VALUE": errorEntry(
    "SMO-C4",
    "threshold, step, trigger or delay of enabled smoothing is missing or not above 0.",
  ),
  "CFG-SMOOTHING-THRESHOLD": errorEntry(
    "SMO-C4",
    "The threshold of smoothing is above the rate that it smooths.",
  ),
  "CFG-SMOOTHING-STEPS": errorEntry(
    "SMO-C4",
    "Between the rate and the threshold are more than 10,000 steps of smoothing.",
  ),
  "CFG-SMOOTHING-NO-RATE": errorEntry(
    "SMO-C4",
    "Smoothing is enabled where there is no rate to smooth.",
  ),
  "CFG-SMOOTHING-PLACE": errorEntry(
    "SMO-C7",
    "Smoothing is set in an API-level limit, which cannot have it.",
  ),
  "CFG-SMOOTHING-TRIGGER": warningEntry("SMO-C4", "The trigger of smoothing is above 1."),
  "CFG-SMOOTHING-IGNORED": warningEntry("SMO-C5", "The algorithm in charge does not smooth."),
  "CFG-SMOOTHING-OFF": warningEntry(
    "SMO-8",
    "A smoothing object has no field enabled and is therefore off.",
  ),

  "CFG-PATTERN-CHARACTER": errorEntry(
    "EPT-C1",
    "A path pattern holds a character that has no meaning in a pattern.",
  ),
  "CFG-PATTERN-BRACES": errorEntry(
    "EPT-C1",
    "The braces of a path pattern do not pair up around a name.",
  ),
  "CFG-PATTERN-SLASH": errorEntry(
    "EPT-C1",
    "A path pattern starts neither with a slash nor with a wildcard, so it could never match.",
  ),
  "CFG-PATTERN-DOT-STAR": warningEntry(
    "EPT-C1",
    "A path pattern has .* outside parentheses, where the dot is a literal dot.",
  ),
  "CFG-PATTERN-NEVER": warningEntry(
    "EPT-C7",
    "A path pattern has a spelling that normalisation removes from every request, so it never matches.",
  ),
  "CFG-METHOD": errorEntry("EPT-1", "The method of an endpoint limit is not an HTTP method."),
  "CFG-METHOD-UNUSUAL": warningEntry(
    "EPT-1",
    "The method of an endpoint limit is none of the usual ones of HTTP.",
  ),
  "CFG-ENABLED-CONTRADICTION": errorEntry(
    "EPT-C2",
    "enabled and disabled of one entry contradict each other.",
  ),
  "CFG-ENDPOINT-DUPLICATE": warningEntry(
    "EPT-3",
    "A later entry has the method and pattern of an earlier one and is never reached.",
  ),
  "CFG-OAS-OPERATION-UNKNOWN": errorEntry(
    "EPT-C4",
    "A limit names an operationId that no path declares.",
  ),
  "CFG-OAS-OPERATION-DUPLICATE": errorEntry(
    "EPT-4",
    "An operationId is declared, or limited, more than once.",
  ),

  "CFG-LISTEN-PATH": errorEntry(
    "EPT-C7",
    "A listen path is not a plain, normalised path that starts with a slash.",
  ),
  "CFG-LISTEN-PATH-DUPLICATE": errorEntry("EPT-C1", "Two APIs listen on the same path."),
  "CFG-LISTEN-PATH-OWN": warningEntry(
    "MGT-C11",
    "An API listens on the path of a page of the gateway itself.",
  ),

  "CFG-TARGET": errorEntry(
    "MGT-C1",
    "A target is not an absolute http or https URL to which requests can be sent.",
  ),

  "CFG-SHADOW-NO-LIMIT": warningEntry("LIM-C13", "shadow is set without a limit to evaluate."),
  "CFG-SHADOW-SMOOTHED": errorEntry("LIM-C13", "A shadow limit is smoothed."),

  "CFG-PARTITIONS-PER-API": errorEntry(
    "LIM-C14",
    "The partitions of a policy set per_api together with another partition.",
  ),
  "CFG-UNKNOWN-API": errorEntry("LIM-6", "An access right names an API that is not configured."),
  "CFG-UNKNOWN-POLICY": warningEntry(
    "LIM-C7",
    "A key lists a policy that is not configured; it is skipped with an event.",
  ),
  "CFG-KEY-WITHOUT-LIMIT": errorEntry(
    "LIM-C7",
    "None of the policies of a key is configured, and the key has no limit of its own.",
  ),
  "CFG-KEY-REJECTED": warningEntry(
    "LIM-C7",
    "None of the policies of a key is configured, so the key is rejected.",
  ),
  "CFG-KEY-WITHOUT-ACCESS": warningEntry(
    "LIM-C16",
    "A key has access to no API, so all its requests are rejected before any limit.",
  ),
  "CFG-EXPIRES-NEVER": warningEntry(
    "MGT-8",
    "A key expires so late that it never does; the time may be in milliseconds.",
  ),
  "CFG-ACCESS-RIGHTS-UNUSED": warningEntry(
    "LIM-C5",
    "A key with a known policy has access rights of its own, which are stored but have no effect.",
  ),
  "CFG-POLICY-LOSES": warningEntry(
    "LIM-C15",
    "Nothing that a policy supplies applies to a key, because other policies of the key win every merge.",
  ),
  "CFG-POLICY-GOVERNS-ELSEWHERE": warningEntry(
    "LIM-C6",
    "The policies of a key grant different APIs, and the limit of one policy applies at APIs of another policy.",
  ),
  "CFG-LIMIT-NEVER-REFUSES": warningEntry(
    "LIM-C15",
    "A limit can never refuse, because a tighter one is evaluated for every request that it covers.",
  ),
  "CFG-STORED-ONLY": warningEntry(
    "LIM-C9",
    "A field is accepted and stored in this place but has no effect.",
  ),
  "CFG-UNENFORCED": warningEntry(
    "MGT-C8",
    "A record requires an access check that the gateway does not make, so its key is rejected.",
  ),
  "CFG-RATE-LIMIT-PATTERN": errorEntry(
    "LIM-C8",
    "A rate_limit_pattern has a part that is neither $gw_meta.NAME nor plain text.",
  ),

  "CFG-ALGORITHM-OVERRIDDEN": warningEntry(
    "ALG-C1",
    "Several algorithms are switched on; the warning names the options without effect.",
  ),
  "CFG-DRL-EXPIRY": warningEntry(
    "ALG-C4",
    "Heartbeats expire before the next ones are sent, so the number of active gateways changes all the time.",
  ),
} as const satisfies Readonly<Record<string, CodeEntry>>;

export type Code = keyof typeof CODES;

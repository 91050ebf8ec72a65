// Functions that only return a value: they change no argument, and the same input has the same result. If a mutant of
// such a function returns the right result for every input of a run, it cannot change the run, which is therefore
// skipped. Mutants of all other functions are run.
const ANSWERING: Readonly<Record<string, readonly string[]>> = {
  "algorithms/fixed-window/rule.ts": ["endUs", "isOpen", "countAt", "wait"],
  "algorithms/leaky-bucket/rule.ts": ["debtAt", "delay", "remaining", "wait"],
  "algorithms/token-bucket/rule.ts": ["debtAt", "remaining", "wait"],
  "algorithms/sliding-log/rule.ts": ["waitForNext", "waitUnwritten", "waitWritten"],
  "algorithms/sliding-window-counter/rule.ts": ["inside", "previousAt", "wait"],
  "core/budget.ts": ["budgetClient", "isForAll", "isOfApi"],
  "core/decision.ts": ["retryAfterSeconds"],
  "core/health.ts": ["isOpen"],
  "core/limit.ts": [
    "capacityOf",
    "compareEffectiveRate",
    "exceedsThreshold",
    "hasAtMostSixDecimals",
    "isAbsent",
    "isUnlimited",
  ],
  "core/limiter.ts": ["needsBackgroundWrite"],
  "world/limit.ts": ["isWindow"],
  "core/resolve/endpoint.ts": ["matchesPattern", "withCapitalDigits"],
  "core/resolve/identity.ts": [
    "shorten",
    "keyIdentity",
    "ownField",
    "partValue",
    "patternIdentity",
    "senderIdentity",
  ],
  "core/resolve/merge.ts": [
    "grantOf",
    "largestQuota",
    "merge",
    "mergeEndpoints",
    "mergeMetaData",
    "mostPatient",
  ],
  "core/resolve/quota.ts": ["quotaBudget"],
  "core/resolve/resolver.ts": ["apiRules", "budgetAt", "keyByOf", "keyRules"],
  "core/select.ts": ["chooseAlgorithm", "levelOf", "shareOf"],
  "core/smoothing.ts": [
    "change",
    "createSettled",
    "nextAllowance",
    "settle",
    "smoothingRule",
    "step",
    "wholeAllowance",
  ],
  "core/steps.ts": ["totalWithoutStore"],
  "core/store.ts": ["isTighter"],
  "kit/units.ts": ["parseOasDuration"],
  "gateway/credential.ts": ["credentialIn"],
  "gateway/begin.ts": ["hasRoom", "isKeysRate", "refusalBy"],
  "gateway/route.ts": ["reject"],
  "gateway/throttle.ts": ["canTryAgain", "throttleOf"],
  "gateway/headers.ts": ["limitValues"],
  "gateway/path.ts": ["decodeUnreserved", "normalizePath"],
  "gateway/routes.ts": ["apiAt", "withinApi"],
  "management/changes.ts": ["identityChanges", "rejectInvalid"],
  "management/events/happening.ts": ["happeningsOfChange"],
  "management/events/letter.ts": ["letterOf"],
  "management/families/user.ts": ["normalizeSearch", "userFoundBy"],
  "management/families/webhook.ts": ["webhookView", "webhookViewWithDates"],
  "management/read-configuration.ts": ["isConfigurationChange"],
  "management/if-match.ts": ["requireVersion"],
  "management/interfaces.ts": ["bearer"],
  "management/json.ts": ["mergeBody", "readJson", "strictProblemsIn", "writeJson"],
  "management/http/guard.node.ts": ["isSecret"],
  "management/http/receiver-addresses.ts": ["mayReceive"],
  "sim/cost.ts": ["billOf", "commandsOf", "markCost"],
  "store/memory.ts": ["sizeOf"],
};

/** Functions that return one of their inputs or a stored object: their results are compared by identity, because callers may store more about them. */
const HANDING_ON: typeof ANSWERING = {
  "core/resolve/merge.ts": ["fastest"],
  "core/resolve/resolver.ts": ["budget", "keyBudget", "resolve"],
};

const addressesIn = (table: typeof ANSWERING): ReadonlySet<string> =>
  new Set(Object.entries(table).flatMap(([file, names]) => names.map((name) => `${file}#${name}`)));

const answering = addressesIn(ANSWERING);
const handingOn = addressesIn(HANDING_ON);

export const onlyAnswers = (address: string): boolean =>
  answering.has(address) || handingOn.has(address);

export const handsOn = (address: string): boolean => handingOn.has(address);

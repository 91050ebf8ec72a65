// Functions that only return a value: they change no argument, and the same input has the same result. If a mutant of
// such a function returns the right result for every input of a run, it cannot change the run, which is therefore
// skipped. Mutants of all other functions are run.
const ANSWERING: Readonly<Record<string, readonly string[]>> = {
  "limiter/algorithms/fixed-window/rule.ts": ["endUs", "isOpen", "countAt", "wait"],
  "limiter/algorithms/leaky-bucket/rule.ts": ["debtAt", "delay", "remaining", "wait"],
  "limiter/algorithms/token-bucket/rule.ts": ["debtAt", "remaining", "wait"],
  "limiter/algorithms/sliding-log/rule.ts": ["waitForNext", "waitUnwritten", "waitWritten"],
  "limiter/algorithms/sliding-window-counter/rule.ts": ["inside", "previousAt", "wait"],
  "limiter/core/budget.ts": ["budgetClient", "isForAll", "isOfApi"],
  "limiter/core/decision.ts": ["retryAfterSeconds"],
  "limiter/core/health.ts": ["isOpen"],
  "limiter/core/limit.ts": [
    "capacityOf",
    "compareEffectiveRate",
    "exceedsThreshold",
    "hasAtMostSixDecimals",
    "isAbsent",
    "isUnlimited",
  ],
  "limiter/core/limiter.ts": ["needsBackgroundWrite"],
  "limiter/world/limit.ts": ["isWindow"],
  "limiter/core/resolve/endpoint.ts": ["matchesPattern", "withCapitalDigits"],
  "limiter/core/resolve/identity.ts": [
    "shorten",
    "keyIdentity",
    "ownField",
    "partValue",
    "patternIdentity",
    "senderIdentity",
  ],
  "limiter/core/resolve/merge.ts": [
    "grantOf",
    "largestQuota",
    "merge",
    "mergeEndpoints",
    "mergeMetaData",
    "mostPatient",
  ],
  "limiter/core/resolve/quota.ts": ["quotaBudget"],
  "limiter/core/resolve/resolver.ts": ["apiRules", "budgetAt", "keyByOf", "keyRules"],
  "limiter/core/select.ts": ["chooseAlgorithm", "levelOf", "shareOf"],
  "limiter/core/smoothing.ts": [
    "change",
    "createSettled",
    "nextAllowance",
    "settle",
    "smoothingRule",
    "step",
    "wholeAllowance",
  ],
  "limiter/core/steps.ts": ["totalWithoutStore"],
  "limiter/core/store.ts": ["isTighter"],
  "kit/units.ts": ["parseOasDuration"],
  "gateway/credential.ts": ["credentialIn"],
  "gateway/begin.ts": ["hasRoom", "isKeysRate", "refusalBy"],
  "gateway/route.ts": ["reject"],
  "gateway/throttle.ts": ["canTryAgain", "throttleOf"],
  "gateway/headers.ts": ["limitValues"],
  "gateway/path.ts": ["decodeUnreserved", "normalizePath"],
  "gateway/routes.ts": ["apiAt", "withinApi"],
  "gateway/management/changes.ts": ["identityChanges", "rejectInvalid"],
  "gateway/management/events/happening.ts": ["happeningsOfChange"],
  "gateway/management/events/letter.ts": ["letterOf"],
  "gateway/management/families/user.ts": ["normalizeSearch", "userFoundBy"],
  "gateway/management/families/webhook.ts": ["webhookView", "webhookViewWithDates"],
  "gateway/management/read-configuration.ts": ["isConfigurationChange"],
  "gateway/management/if-match.ts": ["requireVersion"],
  "gateway/management/interfaces.ts": ["bearer"],
  "gateway/management/json.ts": ["mergeBody", "readJson", "strictProblemsIn", "writeJson"],
  "gateway/management/http/guard.node.ts": ["isSecret"],
  "gateway/management/http/receiver-addresses.ts": ["mayReceive"],
  "lab/sim/cost.ts": ["billOf", "commandsOf", "markCost"],
  "limiter/store/memory.ts": ["sizeOf"],
};

/** They return an argument or a stored object. A mutant must return the same object, because callers may change it. */
const HANDING_ON: typeof ANSWERING = {
  "limiter/core/resolve/merge.ts": ["fastest"],
  "limiter/core/resolve/resolver.ts": ["budget", "keyBudget", "resolve"],
};

const addressesIn = (table: typeof ANSWERING): ReadonlySet<string> =>
  new Set(Object.entries(table).flatMap(([file, names]) => names.map((name) => `${file}#${name}`)));

const answering = addressesIn(ANSWERING);
const handingOn = addressesIn(HANDING_ON);

export const onlyAnswers = (address: string): boolean =>
  answering.has(address) || handingOn.has(address);

export const handsOn = (address: string): boolean => handingOn.has(address);

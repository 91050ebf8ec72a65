// Functions that only answer: what they are given stays as it is, and the same question has the same
// answer. A mutant of one that answers every question of a run as the right one does cannot change that
// run, so the run need not be played for it. Whoever is not listed here is played: also who is asked for
// one of the very things that it was given, because another of the same content is not the same there.
const ANSWERING: Readonly<Record<string, readonly string[]>> = {
  "core/algorithm/counter.ts": ["isOpen", "used", "wait", "endUs"],
  "core/algorithm/debt.ts": ["wait", "owed", "remaining"],
  "core/algorithm/log.ts": ["waitUnwritten", "waitWritten", "waitForNext"],
  "core/algorithm/two-windows.ts": ["wait", "inside", "previousAt"],
  "core/budget.ts": ["isOfApi"],
  "core/decision.ts": ["retryAfterSeconds"],
  "core/health.ts": ["isOpen"],
  "core/limit.ts": [
    "capacityOf",
    "compareEffectiveRate",
    "exceedsThreshold",
    "isAbsent",
    "isUnlimited",
  ],
  "core/limiter.ts": ["isWrittenBehind"],
  "core/resolve/endpoint.ts": ["matchesPattern"],
  "core/resolve/identity.ts": ["keyIdentity", "ownMember", "partValue", "patternIdentity"],
  "core/resolve/merge.ts": [
    "grantOf",
    "largestQuota",
    "merge",
    "mergeEndpoints",
    "mergedMetaData",
    "mostPatient",
  ],
  "core/resolve/quota.ts": ["quotaBudget"],
  "core/resolve/resolver.ts": ["budgetAt"],
  "core/select.ts": ["chooseAlgorithm", "levelOf", "shareOf"],
  "core/smoothing.ts": [
    "change",
    "created",
    "nextAllowance",
    "settle",
    "smoothingRule",
    "step",
    "wholeAllowance",
  ],
  "core/steps.ts": ["wholeWithoutStore"],
  "core/store.ts": ["isTighter"],
  "core/units.ts": ["parseOasDuration"],
  "gateway/handle.ts": ["before", "hasRoom", "isKeysRate", "mayLookAgain", "refusedBy"],
  "gateway/path.ts": ["decodeUnreserved", "normalizePath"],
  "gateway/routes.ts": ["apiAt", "withinApi"],
  "sim/cost.ts": ["billOf", "takeCost"],
};

const addresses = new Set(
  Object.entries(ANSWERING).flatMap(([file, names]) => names.map((name) => `${file}#${name}`)),
);

export const onlyAnswers = (address: string): boolean => addresses.has(address);

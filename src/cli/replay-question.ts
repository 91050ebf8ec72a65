// Reads the flags of `weir replay` into a question, or returns their problem.
import { many } from "../kit/reading/legible.ts";
import { ALGORITHMS, isLogBased, readsBurst, type Algorithm } from "../limiter/core/algorithms.ts";
import type { Configuration, GatewayOptions } from "../limiter/core/config.ts";
import { hasAtMostSixDecimals } from "../limiter/core/limit.ts";
import type { Micros } from "../kit/units.ts";
import { durationIn } from "../kit/reading/duration.ts";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { nearest, type Problem } from "../kit/reading/problems.ts";
import {
  type Candidate,
  candidateText,
  freeLogRule,
  type LimitSize,
  type ReplayLimit,
  USUAL_ALGORITHMS,
  whyNotAfter,
} from "../studies/replay/candidates.ts";
import { CHARGE_TIMES, FREE_LOG, RETRY_NAMES, type ChargeTime } from "../studies/replay/choices.ts";
import { NameTable } from "../studies/replay/names.ts";
import { parseCondition, type Condition } from "../studies/replay/conditions.ts";
import type { LogFormat } from "../studies/replay/columns.ts";
import { FORMATS, FORMAT_NAMES } from "../studies/replay/formats.ts";
import { formatOfText } from "../studies/replay/text-formats.ts";
import type { ReplayQuestion } from "../studies/replay/replay.ts";
import {
  parseKey,
  parseSelector,
  parseSelectors,
  selectorText,
  type Selector,
} from "../studies/replay/selectors.ts";
import { parseZone } from "../studies/replay/timestamps.ts";
import { senderFieldsOf, type WorldCandidate } from "../studies/replay/worlds.ts";
import { PROFILE_NAMES } from "../limiter/spec/profiles.ts";
import { DEFAULT_OPTIONS, readOptions } from "../limiter/world/options.ts";
import { strictFindings } from "../limiter/world/place.ts";
import { ALL_ALGORITHMS, type Arguments } from "./arguments.ts";

/** The default algorithms with --cost. A sliding log is excluded: it would store an entry for each unit, or byte. */
const USUAL_ALGORITHMS_OF_COSTS: readonly Algorithm[] = USUAL_ALGORITHMS.filter(
  (algorithm) => algorithm !== "sliding_log",
);
const MOST_UNITS_OF_LOGS = 1_000_000;

const MOST_CANDIDATES = 200;
const MOST_RATE = 1_000_000_000;
const EXAMPLE_LIMIT = "such as 100/1m, or 10,20,40/s for three limits";

/** `worlds` has the worlds that have already been read, by file name; `configured` are the candidates of --config. */
export function replayQuestion(
  { values, lists }: Arguments,
  worlds: ReadonlyMap<string, Configuration>,
  seed: number,
  configured: readonly ConfiguredCandidate[] = [],
): ReplayQuestion | Failure {
  const typed = values.get("limit");
  const hasFiles = worlds.size + configured.length > 0;
  const limits = typed === undefined && hasFiles ? [] : limitsIn(typed);
  if (isFailure(limits)) return limits;
  const unused = ["profile", "algorithm", "burst"].find((name) => values.has(name));
  if (limits.length === 0 && unused !== undefined)
    return new Failure(`--${unused} needs --limit; add --limit`);
  const burst = burstIn(values.get("burst"));
  if (isFailure(burst)) return burst;
  const cost = costIn(values, hasFiles);
  if (isFailure(cost)) return cost;
  const limiters = limitersIn(values, burst, cost);
  if (isFailure(limiters)) return limiters;
  const key = parseKey(values.get("key") ?? "ip");
  if (isFailure(key)) return new Failure(`--key: ${key.message}`);
  if (worlds.size > 0 && key.length !== 1)
    return new Failure("--world needs a --key of one field: an address, or an id of a key");
  const place = requestPlace(values, hasFiles);
  if (isFailure(place)) return place;
  const clientsAre: WorldCandidate["clientsAre"] = key[0]?.name === "ip" ? "addresses" : "keys";
  const worldCandidates = [...worlds].map(([file, configuration]) => ({
    kind: "world" as const,
    file,
    configuration,
    clientsAre,
  }));
  const candidates: readonly Candidate[] = [
    ...limits.flatMap((limit) =>
      limiters.map((each) => ({ kind: "limit" as const, limit, ...each })),
    ),
    ...worldCandidates,
    ...configured.map(({ candidate }) => candidate),
  ];
  if (candidates.length > MOST_CANDIDATES)
    return new Failure(
      `${many(limits.length, "limit")} and ${many(limiters.length, "algorithm")} are ${candidates.length} candidates; at most ${MOST_CANDIDATES} are replayed at once`,
    );
  const impossible = cost === null ? null : whyNoCost(candidates, cost.charge);
  if (impossible !== null) return new Failure(impossible);
  const texts = candidates.map(candidateText);
  const twice = texts.find((text, index) => texts.indexOf(text) !== index);
  if (twice !== undefined) return new Failure(`${twice} is given twice; remove one`);
  const conditions = conditionsIn(lists, "where");
  if (isFailure(conditions)) return conditions;
  const typedClients = values.get("clients");
  const retries = RETRY_NAMES.find((name) => name === typedClients) ?? null;
  if (typedClients !== undefined && retries === null)
    return unknownName("behaviour of clients", typedClients, RETRY_NAMES);
  const format = formatNamed(values.get("format"));
  if (isFailure(format)) return format;
  return {
    candidates,
    key,
    conditions,
    clients: new NameTable(),
    targets: hasFiles ? new NameTable() : null,
    sender: [
      ...worldCandidates.flatMap(senderFieldsOf),
      ...configured.flatMap(({ fields }) => fields),
    ].filter(isFirst),
    ...place,
    ...(cost === null ? {} : { cost: cost.fields, needsDuration: cost.charge === "after" }),
    format,
    seed,
    retries,
  };
}

export interface ReplayCost {
  readonly fields: readonly Selector[];
  readonly charge: ChargeTime;
}

/** Reads --cost and --charge. Null if each request costs 1. */
function costIn(values: Arguments["values"], hasWorlds: boolean): ReplayCost | null | Failure {
  const typed = values.get("cost");
  const typedCharge = values.get("charge");
  if (typed === undefined)
    return typedCharge === undefined
      ? null
      : new Failure("--charge needs --cost; add --cost FIELD");
  if (hasWorlds)
    return new Failure(
      "--cost is only for --limit: a world names a header with the cost, and other files count requests",
    );
  const fields = parseSelectors(typed);
  if (isFailure(fields)) return new Failure(`--cost: ${fields.message}`);
  const charge = CHARGE_TIMES.find((each) => each === (typedCharge ?? "before"));
  return charge === undefined
    ? unknownName("time to charge", typedCharge!, CHARGE_TIMES)
    : { fields, charge };
}

/** Returns why a candidate cannot count units of cost; null if all candidates can. */
function whyNoCost(candidates: readonly Candidate[], charge: ChargeTime): string | null {
  for (const candidate of candidates) {
    if (candidate.kind !== "limit") continue;
    const { limit, options, by } = candidate;
    const isLog = options.algorithm !== null && isLogBased(options.algorithm);
    if (isLog && limit.rate > MOST_UNITS_OF_LOGS)
      return `${by.name} has an entry for each unit, and a limit of ${limit.rate} is too much; write at most ${MOST_UNITS_OF_LOGS}, or name another algorithm, such as sliding_window_counter`;
    const reason = charge === "after" ? whyNotAfter(candidate) : null;
    if (reason !== null)
      return `${by.name} cannot be charged after: it ${reason}; name another algorithm, such as sliding_window_counter`;
  }
  return null;
}

/** A candidate of --config, and the fields of a request that it reads. */
export interface ConfiguredCandidate {
  readonly candidate: Candidate;
  readonly fields: readonly Selector[];
}

export const isFirst = (selector: Selector, index: number, all: readonly Selector[]): boolean =>
  all.findIndex((each) => selectorText(each) === selectorText(selector)) === index;

/** Reads which fields of a log have the method and the path, and the time zone of its timestamps. */
function requestPlace(
  values: Arguments["values"],
  hasWorlds: boolean,
): Pick<ReplayQuestion, "endpoint" | "zoneUs"> | Failure {
  const endpointField = (name: "method" | "path"): Selector | Failure => {
    const typed = values.get(name);
    if (typed !== undefined && !hasWorlds)
      return new Failure(
        `--${name} needs --world or --config; add one, or select requests by --where`,
      );
    const selector = parseSelector(typed ?? name);
    return isFailure(selector) ? new Failure(`--${name}: ${selector.message}`) : selector;
  };
  const method = endpointField("method");
  const path = endpointField("path");
  if (isFailure(method)) return method;
  if (isFailure(path)) return path;
  const zoneUs = zoneIn(values);
  return isFailure(zoneUs) ? zoneUs : { endpoint: { method, path }, zoneUs };
}

export function zoneIn(values: Arguments["values"]): number | Failure {
  const typed = values.get("zone");
  return (
    parseZone(typed ?? "Z") ??
    new Failure(`--zone: "${typed}" is no offset from UTC; write one, such as +02:00`)
  );
}

/** Reads the conditions of a repeated flag. */
export function conditionsIn(
  lists: Arguments["lists"],
  name: string,
): readonly Condition[] | Failure {
  const conditions = (lists.get(name) ?? []).map(parseCondition);
  const failure = conditions.find(isFailure);
  return failure === undefined
    ? (conditions as readonly Condition[])
    : new Failure(`--${name}: ${failure.message}`);
}

/** Reads `100/1m`, `100/m` or `10,20,40/s`: a rate without a window has the window of the next rate. */
export function limitsIn(
  typed: string | undefined,
  missing = `--limit is needed, ${EXAMPLE_LIMIT}; or --config FILE`,
): readonly LimitSize[] | Failure {
  if (typed === undefined) return new Failure(missing);
  const limits: LimitSize[] = [];
  let rates: number[] = [];
  for (const part of typed.split(",")) {
    const [rateText = "", perText, ...rest] = part.trim().split("/");
    const rate = /^\d+(?:\.\d+)?$/.test(rateText) ? Number(rateText) : Number.NaN;
    if (!(rate >= 1 && rate <= MOST_RATE && hasAtMostSixDecimals(rate)) || rest.length > 0)
      return new Failure(
        `--limit: "${part}" has no rate from 1 to ${MOST_RATE}; write requests per window, ${EXAMPLE_LIMIT}`,
      );
    rates.push(rate);
    if (perText === undefined) continue;
    const perUs = windowIn(perText);
    if (perUs === null) return notAWindow("limit", perText, EXAMPLE_LIMIT);
    limits.push(...rates.map((each) => ({ rate: each, perUs })));
    rates = [];
  }
  return rates.length === 0
    ? limits
    : new Failure(`--limit: ${rates.join(",")} has no window; write one, ${EXAMPLE_LIMIT}`);
}

/** Reads `1m`, or `m` for one minute, or `1d` for a day. Null if it is not a window. */
export function windowIn(text: string): Micros | null {
  const counted = /^[a-z]/.test(text) ? `1${text}` : text;
  const perUs = durationIn(counted.replace(/^(\d+)d$/, (_, days) => `${24 * Number(days)}h`));
  return perUs === undefined || perUs === 0 ? null : perUs;
}

export const notAWindow = (option: string, text: string, example: string): Failure =>
  new Failure(
    `--${option}: "${text}" is no window of at most a year; write a number and a unit (us, ms, s, m, h or d), ${example}`,
  );

export type CandidateBurst = number | "rate" | null;

export function burstIn(typed: string | undefined): CandidateBurst | Failure {
  if (typed === undefined) return null;
  if (typed === "rate") return typed;
  const burst = /^\d{1,9}$/.test(typed) ? Number(typed) : 0;
  return burst >= 1
    ? burst
    : new Failure(
        `--burst must be an integer above 0, or the word rate for the rate of each limit`,
      );
}

export type CandidateRule = Omit<ReplayLimit, "kind" | "limit">;

export function limitersIn(
  values: Arguments["values"],
  burst: CandidateBurst,
  cost: ReplayCost | null = null,
): readonly CandidateRule[] | Failure {
  const charge = cost === null ? {} : { charge: cost.charge };
  const profiles = values.get("profile");
  const algorithms = values.get("algorithm");
  const limiters: CandidateRule[] = [];
  const names = algorithmNames(algorithms, profiles !== undefined, cost !== null);
  for (const typed of names) {
    const name = typed.trim().replaceAll("-", "_");
    if (name === FREE_LOG) {
      limiters.push({ ...freeLogRule(), ...charge });
      continue;
    }
    const algorithm = ALGORITHMS.find((each) => each === name);
    if (algorithm === undefined) return unknownName("algorithm", typed, [...ALGORITHMS, FREE_LOG]);
    limiters.push({
      by: { kind: "algorithm", name: algorithm },
      options: { ...DEFAULT_OPTIONS, algorithm, ...(burst === null ? {} : { burst }) },
      ...charge,
    });
  }
  for (const name of profiles?.split(",") ?? []) {
    const profile = PROFILE_NAMES.find((each) => each === name.trim());
    if (profile === undefined) return unknownName("profile", name, PROFILE_NAMES);
    const options = optionsOfProfile(profile, burst);
    if (isFailure(options)) return options;
    limiters.push({ by: { kind: "profile", name: profile }, options, ...charge });
  }
  const readers = limiters.filter(({ options }) => readsBurst(options.algorithm));
  return burst === null || readers.length > 0
    ? limiters
    : new Failure("--burst needs gcra, or a profile that decides by gcra; add --algorithm gcra");
}

function algorithmNames(
  typed: string | undefined,
  hasProfiles: boolean,
  hasCosts: boolean,
): readonly string[] {
  if (typed === ALL_ALGORITHMS) return ALGORITHMS;
  const usual = hasCosts ? USUAL_ALGORITHMS_OF_COSTS : USUAL_ALGORITHMS;
  return typed?.split(",") ?? (hasProfiles ? [] : usual);
}

/** If the burst is null, the profile's burst applies. */
function optionsOfProfile(profile: string, burst: CandidateBurst): GatewayOptions | Failure {
  const read = (raw: Readonly<Record<string, unknown>>): GatewayOptions | Failure => {
    const problems: Problem[] = [];
    const options = readOptions({ raw, path: [], findings: strictFindings(problems, []) });
    const error = problems.find(({ severity }) => severity === "error");
    return error === undefined ? options : new Failure(`--profile ${profile}: ${error.message}`);
  };
  const own = read({ profile });
  return isFailure(own) || burst === null || !readsBurst(own.algorithm)
    ? own
    : read({ profile, burst });
}

export function unknownName(
  what: string,
  typed: string,
  names: readonly string[],
  words?: ReadonlyMap<string, string>, // names by other words
): Failure {
  const near = words?.get(typed) ?? nearest(typed, names);
  return new Failure(
    `there is no ${what} "${typed}"${near === null ? `; there are ${names.join(", ")}` : `; did you mean ${near}?`}`,
  );
}

export function formatNamed(typed: string | undefined): LogFormat | null | Failure {
  if (typed === undefined) return null;
  const named = FORMATS.find(({ name }) => name === typed);
  if (named !== undefined) return named;
  if (!/[$%]/.test(typed)) return unknownName("format", typed, FORMAT_NAMES);
  const own = formatOfText(typed);
  return isFailure(own) ? new Failure(`--format: ${own.message}`) : own;
}

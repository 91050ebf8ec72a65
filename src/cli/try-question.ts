// Reads the flags of `weir try` into a question, or returns their problem.
import { many } from "../kit/reading/legible.ts";
import { ALGORITHMS, readsBurst, type Algorithm } from "../limiter/core/algorithms.ts";
import { micros, type Micros } from "../kit/units.ts";
import { countTried, totalRate } from "../studies/try/as-scenario.ts";
import { usualLateness } from "../studies/try/draws.ts";
import { POPULATIONS, POPULATION_NAMES, type PopulationName } from "../studies/try/populations.ts";
import {
  candidatesOf,
  type DescribedTraffic,
  type TriedBursts,
  type TriedFile,
  type TriedLimiter,
  type TriedRetry,
  type TryQuestion,
} from "../studies/try/question.ts";
import { behaviourCalled, RETRY_WORDS, TRY_RETRIES } from "../studies/try/retries.ts";
import { type LimitSize, limitText, shortDuration } from "../studies/replay/candidates.ts";
import { FREE_LOG } from "../studies/replay/choices.ts";
import { DURATION_UNITS, durationIn } from "../kit/reading/duration.ts";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { profileCalled, PROFILE_NAMES } from "../limiter/spec/profiles.ts";
import { countIn, ALL_ALGORITHMS, type Arguments } from "./arguments.ts";
import { burstIn, limitsIn, unknownName } from "./replay-question.ts";

const MOST_CANDIDATES = 200;
const MOST_CLIENTS = 100_000;
const MOST_GATEWAYS = 100;
const MOST_REQUESTS = 1_000_000;
const MOST_BURSTS = 1_000;

const USUAL_CLIENTS = 1;
const USUAL_DURATION = "10m";

/** `file`: of --config; null: there is none. */
export function tryQuestion(args: Arguments, file: TriedFile | null = null): TryQuestion | Failure {
  const { values, switches } = args;
  const hasLimits = values.has("limit") || file === null;
  const limits = hasLimits
    ? limitsIn(
        values.get("limit"),
        "--limit is needed, such as 100/1m, or 10,20,40/s; or --config FILE",
      )
    : [];
  if (isFailure(limits)) return limits;
  const ofLimit = ["algorithm", "profile", "burst"].find((name) => values.has(name));
  if (!hasLimits && ofLimit !== undefined)
    return new Failure(`--${ofLimit} is of a limit that is typed; add --limit`);
  const limiters = hasLimits ? limitersIn(values) : [];
  if (isFailure(limiters)) return limiters;
  const gateways = countIn(values, "gateways", MOST_GATEWAYS);
  if (isFailure(gateways)) return gateways;
  const traffic = trafficIn(args);
  if (isFailure(traffic)) return traffic;
  const retries = retriesIn(values.get("retry") ?? "none", [
    ...limits,
    ...(file?.rules.slice(0, 1) ?? []),
  ]);
  if (isFailure(retries)) return retries;
  const question = {
    ...traffic,
    gateways: gateways ?? 1,
    retries,
    isSequential: switches.has("sequential"),
    limits,
    limiters,
    ...(file === null ? {} : { file }),
  };
  return (
    rateProblem(question) ?? candidateProblem(question) ?? trafficProblem(question) ?? question
  );
}

/** Reads the flags of traffic alone, and whether it is too much. */
export function readTraffic(args: Arguments): DescribedTraffic | Failure {
  const traffic = trafficIn(args);
  return isFailure(traffic)
    ? traffic
    : (rateProblem(traffic) ?? trafficProblem(traffic) ?? traffic);
}

function trafficIn({ values, switches }: Arguments): DescribedTraffic | Failure {
  const typed = countIn(values, "clients", MOST_CLIENTS);
  if (isFailure(typed)) return typed;
  const clients = typed ?? USUAL_CLIENTS;
  const perAddress = countIn(values, "per-address", clients);
  if (isFailure(perAddress)) return perAddress;
  const rate = rateIn(values.get("rate"));
  if (isFailure(rate)) return rate;
  const bursts = burstsIn(values.get("bursts"), switches.has("together"));
  if (isFailure(bursts)) return bursts;
  if (rate === null && bursts === null)
    return new Failure(
      "there is no traffic; add --rate, such as 3/s, or --bursts, such as 50@1m, or both",
    );
  const forUs = timeIn("for", values.get("for") ?? USUAL_DURATION);
  if (isFailure(forUs)) return forUs;
  const population = populationNamed(values.get("population"), rate !== null);
  return isFailure(population)
    ? population
    : { clients, perAddress, population, rate, bursts, forUs };
}

const MOST_CHANGE = 0.001;
const LEAST_TOTAL_RATE = 0.000_000_5 / MOST_CHANGE; // per second; rounding changes a lower rate too much

/** Returns a problem if rounding a very small rate to the six decimals of a scenario changes the rate too much. */
function rateProblem({ rate, clients, population }: DescribedTraffic): Failure | null {
  if (rate === null) return null;
  const together = [clients, POPULATIONS[population].scraper]
    .filter((count) => count > 0)
    .toSorted((a, b) => a - b);
  const changed = together.find(
    (count) => Math.abs(totalRate(rate, count) / (rate * count) - 1) > MOST_CHANGE,
  );
  if (changed === undefined) return null;
  const perHour = (total: number, count: number): string =>
    `${Number(((total * 3600) / count).toPrecision(4))}/h`;
  return new Failure(
    `--rate: ${perHour(rate * changed, changed)} would run as ${perHour(totalRate(rate, changed), changed)}, because a scenario stores the summed rate of all clients with six decimals; write at least ${perHour(LEAST_TOTAL_RATE, together[0]!)}`,
  );
}

function candidateProblem(question: TryQuestion): Failure | null {
  const { limits, limiters, retries } = question;
  const candidates = candidatesOf(question);
  if (candidates.length > MOST_CANDIDATES)
    return new Failure(
      `${many(limits.length, "limit")}, ${many(limiters.length, "limiter")} and ${many(retries.length, "kind")} of retry are ${candidates.length} candidates; at most ${MOST_CANDIDATES} are tried at once`,
    );
  const names = candidates.map(
    ({ limit, limiter, retry }) =>
      `${limitText(limit)} by ${limiter.name}${retries.length === 1 ? "" : ` with ${retry.name}`}`,
  );
  const twice = names.find((name, at) => names.indexOf(name) < at);
  return twice === undefined ? null : new Failure(`${twice} is given twice; remove one`);
}

function trafficProblem(traffic: DescribedTraffic): Failure | null {
  const { bursts, forUs } = traffic;
  if (bursts !== null && forUs / bursts.everyUs > MOST_BURSTS)
    return new Failure(
      `--bursts: a burst every ${shortDuration(bursts.everyUs)} for ${shortDuration(forUs)} is more than ${MOST_BURSTS} bursts; write a shorter --for`,
    );
  const requests = countTried(traffic);
  if (requests === 0)
    return new Failure("the traffic is less than one request; write a longer --for");
  return requests > MOST_REQUESTS
    ? new Failure(
        `the traffic is ${requests.toLocaleString("en-US")} requests; at most ${MOST_REQUESTS.toLocaleString("en-US")} are tried, so write fewer --clients, or a shorter --for`,
      )
    : null;
}

// ---------------------------------------------------------------- traffic

const UNITS_A_SECOND: Readonly<Record<string, number>> = { s: 1, m: 1 / 60, h: 1 / 3600 };
const MOST_RATE = 1_000_000;

/** Reads `3/s`, `20/m` or `1.5/h` as requests per second. */
function rateIn(typed: string | undefined): number | null | Failure {
  if (typed === undefined) return null;
  const [, count, unit = ""] = /^(\d+(?:\.\d+)?)\/1?([smh])$/.exec(typed) ?? [];
  const perSecond = Number(count) * (UNITS_A_SECOND[unit] ?? Number.NaN);
  return perSecond > 0 && perSecond <= MOST_RATE
    ? perSecond
    : new Failure(
        `--rate: "${typed}" is no rate; write the requests of each client, such as 3/s, 20/m or 1.5/h, at most ${MOST_RATE}/s`,
      );
}

/** Reads `50@1m`, or `50@1m+5s` with a lateness. */
function burstsIn(typed: string | undefined, isTogether: boolean): TriedBursts | null | Failure {
  if (typed === undefined)
    return isTogether
      ? new Failure("--together is about --bursts, and none is given; add --bursts, such as 50@1m")
      : null;
  const [, digits, every, late] = /^(\d{1,7})@([^+]+)(?:\+(.+))?$/.exec(typed) ?? [];
  const everyUs = every === undefined ? undefined : durationIn(every);
  const jitterUs = late === undefined ? usualLateness(everyUs ?? micros(0)) : durationIn(late);
  return Number(digits) >= 1 && everyUs !== undefined && everyUs > 0 && jitterUs !== undefined
    ? { count: Number(digits), everyUs, jitterUs, isTogether }
    : new Failure(
        `--bursts: "${typed}" is no burst; write requests@time, the time in ${DURATION_UNITS}, such as 50@1m for 50 at once every minute, or 50@1m+5s if each client may be 5 s late`,
      );
}

function timeIn(name: string, typed: string): Micros | Failure {
  const us = durationIn(typed);
  return us !== undefined && us > 0
    ? us
    : new Failure(
        `--${name} must be a time above 0 and of at most a year, in ${DURATION_UNITS}, such as 30s or 10m; got "${typed}"`,
      );
}

function populationNamed(typed: string | undefined, hasRate: boolean): PopulationName | Failure {
  if (typed === undefined) return "even";
  if (!hasRate)
    return new Failure(
      "--population spreads the requests of --rate, and none is given; add --rate",
    );
  const known = POPULATION_NAMES.find((each) => each === typed);
  return known ?? unknownName("population", typed, POPULATION_NAMES);
}

function retriesIn(typed: string, limits: readonly LimitSize[]): readonly TriedRetry[] | Failure {
  const names = namesIn(typed, TRY_RETRIES, "kind of retry", RETRY_WORDS);
  if (isFailure(names)) return names;
  const [limit] = limits;
  if (names.includes("aatb") && limits.length > 1)
    return new Failure(
      "--retry aatb needs a single --limit, because its clients are given that limit; remove the others",
    );
  return names.map((name) => ({ name, behaviour: behaviourCalled(name, limit!) }));
}

// ---------------------------------------------------------------- limiters

/** Returns the named algorithms and profiles, or all algorithms if the flags name neither. */
function limitersIn(values: Arguments["values"]): readonly TriedLimiter[] | Failure {
  const burst = burstIn(values.get("burst"));
  if (isFailure(burst)) return burst;
  const profiles = namesIn(values.get("profile"), PROFILE_NAMES, "profile");
  if (isFailure(profiles)) return profiles;
  const typed = values.get("algorithm") ?? (profiles.length === 0 ? ALL_ALGORITHMS : undefined);
  const names: readonly string[] =
    typed === ALL_ALGORITHMS ? ALGORITHMS : [...ALGORITHMS, FREE_LOG];
  const algorithms = namesIn(typed?.replaceAll("-", "_"), names, "algorithm");
  if (isFailure(algorithms)) return algorithms;
  const limiters = [
    ...algorithms.map((name) => ({
      kind: "algorithm" as const,
      name,
      counts: ALGORITHMS.find((each) => each === name) ?? null,
    })),
    ...profiles.map((name) => ({ kind: "profile" as const, name, counts: algorithmOf(name) })),
  ].map(({ kind, name, counts }): TriedLimiter => ({
    kind,
    name,
    burst: readsBurst(counts) ? burst : null,
  }));
  return burst === null || limiters.some((limiter) => limiter.burst !== null)
    ? limiters
    : new Failure("--burst needs gcra, or a profile that decides by gcra; add --algorithm gcra");
}

const algorithmOf = (profile: string): Algorithm | null =>
  ALGORITHMS.find((each) => each === profileCalled(profile)?.options["algorithm"]) ?? null;

function namesIn<T extends string>(
  typed: string | undefined,
  names: readonly T[],
  what: string,
  words?: ReadonlyMap<string, T>,
): readonly T[] | Failure {
  if (typed === undefined) return [];
  if (typed === ALL_ALGORITHMS) return names;
  const wanted: T[] = [];
  for (const part of typed.split(",")) {
    const name = names.find((each) => each === part.trim());
    if (name === undefined) return unknownName(what, part.trim(), names, words);
    wanted.push(name);
  }
  return wanted;
}

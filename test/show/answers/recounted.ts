// Words of answers read back, and limits that decide requests one after the other, so that nothing is searched.
import { expect } from "vitest";
import { rng } from "#src/kit/chance/rng.ts";
import { micros } from "#src/kit/units.ts";
import { startCandidate } from "#src/studies/replay/candidates.ts";
import type { RecommendedRule } from "#src/studies/recommend/recommendation.ts";
import type { UnansweredRecommendation } from "#src/studies/recommend/result.ts";
import type { RefusalTarget } from "#src/studies/recommend/search.ts";
import { SEED } from "../../runs.ts";
import {
  decideOneByOne,
  countLongRun,
  decideTogether,
  limitOf,
  type OwnRefusals,
} from "../../studies/recommend/one-by-one.ts";
import { ALGORITHM_RULES, namesOf, type SentRequest } from "../../studies/recommend/traffic.ts";

/** The question of a recommendation, with the requests that it is about. */
export interface Premises {
  readonly requests: readonly SentRequest[]; // without those of clients that are left out
  readonly logged: readonly SentRequest[]; // all
  readonly leftOut: readonly number[];
  /** The answer of which the outliers are left out; null: none are. */
  readonly earlier: readonly string[] | null;
  readonly rules: readonly RecommendedRule[];
  readonly target: RefusalTarget;
  readonly isOneBudget: boolean;
  readonly document: UnansweredRecommendation;
}

const { names } = namesOf(12);

const NAMED: Readonly<Record<string, string>> = {
  "a fixed window": "fixed_window",
  "a sliding log": "sliding_log",
  "a non-transactional log": "non_transactional",
  "a log with a sentinel": "sentinel",
  DRL: "drl",
  "a token bucket": "token_bucket",
  GCRA: "gcra",
  "a sliding window counter": "sliding_window_counter",
  "a bounded log": "bounded_log",
  "a leaky bucket": "leaky_bucket",
};

export const UNITS: Readonly<Record<string, number>> = { second: 1e6, minute: 60e6, hour: 3600e6 };

/** A word such as "4,759". */
export const number = (word: string | undefined): number => Number(word?.replaceAll(",", ""));

/** A word such as "4,759", or "none". */
export const count = (word: string | undefined): number => (word === "none" ? 0 : number(word));

export function perUs(words: string): number {
  const [, count = "1", unit = ""] = /^(?:(\d+) )?(second|minute|hour)s?$/.exec(words) ?? [];
  return Number(count) * UNITS[unit]!;
}

export function ruleNamed(words: string): RecommendedRule {
  const rule = ALGORITHM_RULES.find(({ by }) => by.name === NAMED[words]);
  if (rule === undefined) throw new Error(`there is no limiter "${words}"`);
  return rule;
}

const COUNTING = new Set(["sliding_log", "non_transactional", "sentinel", "bounded_log"]);
export const isCounting = ({ by }: RecommendedRule): boolean => COUNTING.has(by.name);
export const isWaiting = ({ by }: RecommendedRule): boolean => by.name === "leaky_bucket";

/** The parts of a sentence; throws if it has another form. */
export function parts(text: string, form: RegExp): readonly (string | undefined)[] {
  const found = form.exec(text);
  if (found === null) throw new Error(`${text} is not of the form ${form.source}`);
  return found.slice(1);
}

/** "5 requests", or "none of the others and 3 of 192.0.2.10": refused requests of the others, and of all. */
export function countsIn(words: string): readonly [number, number] {
  const [all, others, own] = parts(
    words,
    /^(?:([\d,]+) requests?|(none|[\d,]+) of the others and (none|[\d,]+) of this client)$/,
  );
  return all === undefined
    ? [count(others), count(others) + count(own)]
    : [number(all), number(all)];
}

export const clientsNamed = (words: string): readonly number[] =>
  words.split(/, | and /).map((name) => names.indexOf(name));

export const goodOf = (requests: readonly SentRequest[]): readonly SentRequest[] =>
  requests.filter(({ isBad = false }) => !isBad);

export const countClients = (requests: readonly SentRequest[]): number =>
  new Set(requests.map(({ client }) => client)).size;

export const without = (requests: readonly SentRequest[], clients: readonly number[]) =>
  requests.filter(({ client }) => !clients.includes(client));

export const refusalsBy = (
  rule: RecommendedRule,
  rate: number,
  us: number,
  requests: readonly SentRequest[],
): OwnRefusals => decideOneByOne(limitOf(rule, { rate, perUs: micros(us) }), requests);

export function listMissed(
  { goodRequests, goodClients }: Pick<OwnRefusals, "goodRequests" | "goodClients">,
  target: RefusalTarget,
  requests: readonly SentRequest[],
): readonly string[] {
  const good = goodOf(requests);
  return [
    ...(goodRequests > target.requests * good.length + 1e-9 ? ["requests"] : []),
    ...(goodClients > target.clients * countClients(good) + 1e-9 ? ["clients"] : []),
  ];
}

/** Expects that the rate is the smallest that meets the target: it does, and one less does not. */
export function expectSmallest(
  rule: RecommendedRule,
  rate: number,
  us: number,
  { target, logged }: Premises,
  requests: readonly SentRequest[],
): void {
  const missesAt = (at: number) => {
    const refused = refusalsBy(rule, at, us, requests);
    const size = { rate: at, perUs: micros(us) };
    return listMissed(countLongRun(refused, size, requests, { logged }), target, requests);
  };
  expect([rate, missesAt(rate)]).toEqual([rate, []]);
  if (rate > 1) expect([rate - 1, missesAt(rate - 1).length > 0]).toEqual([rate - 1, true]);
}

/** "only 192.0.2.1 needs more than 47": without it nothing is refused at 47, and something at 46. */
function expectNeed(
  rule: RecommendedRule,
  us: number,
  outliers: readonly number[],
  peak: number,
  premises: Premises,
): void {
  const { requests } = premises;
  const refusalsAt = (rate: number): OwnRefusals => refusalsBy(rule, rate, us, requests);
  const nothing = { ...premises, target: { requests: 0, clients: 0 } };
  expectSmallest(rule, peak, us, nothing, without(requests, outliers));
  for (const client of outliers)
    expect(refusalsAt(peak).refusedOf.get(client)?.good).toBeGreaterThan(0);
}

/** "only X needs more; with it the limit would be 150", or "X alone would raise it to 150". */
export function needIn(words: string) {
  const [, only, withThem] =
    /only (.+?) needs? more; with (?:it|them) the limit would be ([\d,]+)/.exec(words) ?? [];
  const [, some, raised] = /(\S+(?: and \S+)*) alone would raise it to ([\d,]+)/.exec(words) ?? [];
  const names = only ?? some;
  return names === undefined
    ? null
    : {
        outliers: clientsNamed(names),
        isOnly: only !== undefined,
        withAll: number(withThem ?? raised),
      };
}

/** Expects what `needIn` reads of a sentence about a limit of this rate. */
export function checkNeed(
  need: NonNullable<ReturnType<typeof needIn>>,
  rule: RecommendedRule,
  rate: number,
  us: number,
  premises: Premises,
): void {
  const { outliers, isOnly, withAll } = need;
  expectSmallest(rule, withAll, us, premises, premises.requests);
  expect(rate).toBeLessThan(0.75 * withAll);
  if (isOnly) expectNeed(rule, us, outliers, rate, premises);
}

/** A limit in the words of an answer, and the clients that it is not for. */
export interface AnsweredLimit {
  readonly rate: number;
  readonly us: number;
  readonly rule: RecommendedRule;
  readonly outliers: readonly number[];
}

/** The limit of the first sentence, which "it" of later sentences refers to. */
export function firstLimit(answer: readonly string[]) {
  const form = /^Limit (each client|all clients together) to ([\d,]+) per (.+?) by (.+?): (.+)$/;
  const [subject, rate, per, by, rest] = parts(answer[0]!, form);
  const need = needIn(rest!);
  return {
    subject,
    rate: number(rate),
    us: perUs(per!),
    rule: ruleNamed(by!),
    rest: rest!,
    outliers: need?.outliers ?? [],
  };
}

const SET =
  /^Ship (.+?)(?:, but not (.+),)? for (each client|all clients together)(?:(?:, each)? by (.+?))?: (.+)\.$/;

/** The sentence about one of several limits. */
export const WINDOW = /^Per (.+?) the limit is ([\d,]+)(?: by (.+?))?(?:: (.+))?\.$/;

/** "With this client the limits would be 239 per minute and 11,447 per hour." */
export const withAllIn = (
  text: string,
): readonly { readonly us: number; readonly rate: number }[] =>
  (/^With this client the limits would be (.+)\.$/.exec(text)?.[1] ?? "")
    .split(/, | and /)
    .flatMap((words) => {
      const [, rate, per] = /^([\d,]+) per (.+)$/.exec(words) ?? [];
      return rate === undefined ? [] : [{ us: perUs(per!), rate: number(rate) }];
    });

interface WindowNeed {
  readonly us: number;
  readonly by?: string | undefined;
  readonly need?: string | undefined;
}

/** All limits of an answer, of which some are shipped. */
export function limitsOf(answer: readonly string[]) {
  if (!answer[0]!.startsWith("Ship ")) {
    const { subject, rest, ...limit } = firstLimit(answer);
    return { subject, why: rest, shipped: [limit], apart: [] };
  }
  const [listed, others, subject, limiter, why] = parts(answer[0]!, SET);
  const windows: readonly WindowNeed[] = answer.flatMap((text): readonly WindowNeed[] => {
    const rates = withAllIn(text);
    if (rates.length > 0)
      return rates.map(({ us, rate }) => ({
        us,
        need: `${why!.split(" ")[0]!} alone would raise it to ${rate}`,
      }));
    const [, per, , by, need] = WINDOW.exec(text) ?? [];
    return per === undefined ? [] : [{ us: perUs(per), by, need }];
  });
  const limitIn = (words: string): AnsweredLimit => {
    const [rate, per] = parts(words, /^([\d,]+) per (.+)$/);
    const own = windows.find(({ us }) => us === perUs(per!));
    return {
      rate: number(rate),
      us: perUs(per!),
      rule: ruleNamed((limiter ?? own?.by)!),
      outliers: (own?.need === undefined ? null : needIn(own.need))?.outliers ?? [],
    };
  };
  const limitsIn = (words: string | undefined): readonly AnsweredLimit[] =>
    words === undefined ? [] : words.split(/, | and /).map(limitIn);
  return { subject, why: why!, shipped: limitsIn(listed), apart: limitsIn(others) };
}

/** What the limits refuse together, decided one after the other. */
export const refusalsByAll = (
  limits: readonly AnsweredLimit[],
  requests: readonly SentRequest[],
): OwnRefusals =>
  limits.length === 1
    ? refusalsBy(limits[0]!.rule, limits[0]!.rate, limits[0]!.us, requests)
    : decideTogether(
        limits.map(({ rule, rate, us }) => limitOf(rule, { rate, perUs: micros(us) })),
        requests,
      );

export const outliersOf = (limits: readonly AnsweredLimit[]): readonly number[] => [
  ...new Set(limits.flatMap(({ outliers }) => outliers)),
];

/** The most requests of one client that are admitted in any time of this length. */
export function mostAdmitted(
  rule: RecommendedRule,
  rate: number,
  us: number,
  requests: readonly SentRequest[],
): number {
  const limit = limitOf(rule, { rate, perUs: micros(us) });
  const limiter = startCandidate(limit, { clients: { names }, targets: null });
  limiter.makeRoom(names.length);
  const admitted = requests.filter(({ client, atUs }) => limiter.decide(client, 0, atUs) <= 0);
  const inWindow = ({ client, atUs }: SentRequest): number =>
    admitted.filter((each) => each.client === client && each.atUs >= atUs && each.atUs < atUs + us)
      .length;
  return Math.max(...admitted.map(inWindow));
}

export const DRAWS = 100;

/** The requests per window of the client that sends most, over all of the log. */
export function mostPerWindow(
  sent: readonly SentRequest[],
  all: readonly SentRequest[],
  us: number,
): number {
  const windows = Math.max(1, (all.at(-1)!.atUs - all[0]!.atUs) / us);
  const counts = [...Map.groupBy(sent, ({ client }) => client).values()].map(
    ({ length }) => length,
  );
  return Math.max(...counts) / windows;
}

/** The smallest rate of each of some draws of clients, from what each rate up to `most` refuses. */
export function ratesOfDraws(
  rule: RecommendedRule,
  us: number,
  most: number,
  target: RefusalTarget,
  requests: readonly SentRequest[],
): readonly number[] {
  const good = goodOf(requests);
  const clients = [...new Set(good.map(({ client }) => client))];
  const sent = clients.map((client) => good.filter((each) => each.client === client).length);
  const refusalsAt = Array.from({ length: most }, (_, i) => {
    const { refusedOf } = refusalsBy(rule, i + 1, us, requests);
    return clients.map((client) => refusedOf.get(client)?.good ?? 0);
  });
  const random = rng(SEED, "claims/draws");
  return Array.from({ length: DRAWS }, () => {
    const drawn = clients.map(() => Math.floor(random.next() * clients.length));
    const sum = (of: (place: number) => number): number =>
      drawn.reduce((total, place) => total + of(place), 0);
    const isMet = (refused: readonly number[]): boolean =>
      sum((place) => refused[place]!) <= target.requests * sum((place) => sent[place]!) + 1e-9 &&
      sum((place) => Number(refused[place]! > 0)) <= target.clients * drawn.length + 1e-9;
    const at = refusalsAt.findIndex(isMet);
    return at < 0 ? Number.POSITIVE_INFINITY : at + 1;
  });
}

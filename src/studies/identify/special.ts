// Finds limits that count nothing over time: limits of requests in flight, and random refusals. Neither is simulated:
// the responses so far show whether one of them is possible, and a few experiments confirm or exclude it.
import { isFailure, type Failure } from "../../kit/reading/failure.ts";
import { formatDuration, micros, SECOND } from "../../kit/units.ts";
import { listDecided, responsesOf, type IdentifyStep, type Prober } from "./prober.ts";
import type { FirstFindings } from "./shapes.ts";
import { doubtUs, quantile, type ProbeTiming } from "./evidence.ts";
import { countOf, groupAt, type ProbedGroup, type ProbeResponse } from "./target.ts";

export type SpecialBehaviour =
  | { readonly kind: "in_flight"; readonly most: number; readonly workUs: number }
  | {
      readonly kind: "chance";
      readonly share: number; // the share of refused requests
      readonly range: readonly [least: number, most: number]; // contains the true share in more than 99.9 % of cases
    };

export const SPECIAL_TITLES = {
  in_flight: "a limit of the requests in flight",
  chance: "refusals at random, whatever was sent before",
} as const satisfies Readonly<Record<SpecialBehaviour["kind"], string>>;

export const SPECIAL_NAMES = Object.keys(SPECIAL_TITLES);

export function specialNumbersText(special: SpecialBehaviour): string {
  if (special.kind === "in_flight")
    return `${special.most} at once, each for ${formatDuration(micros(1_000 * Math.round(special.workUs / 1_000)))}`;
  const [about, least, most] = [special.share, ...special.range].map((each) =>
    (100 * each).toFixed(1),
  );
  return `${about} % of the requests (${least} % to ${most} %)`;
}

/** `isFirst`: no other behaviour was tried yet. If false, finds only random refusals, if those so far may be random. */
export async function findSpecial(
  prober: Prober,
  { blockedUs }: FirstFindings,
  isFirst: boolean,
): Promise<SpecialBehaviour | Failure | null> {
  const inFlight = isFirst ? await findInFlight(prober) : null;
  if (inFlight !== null) return inFlight;
  const isWorthwhile = isFirst ? blockedUs <= LONGEST_BLOCK_US : mayBeAtRandom(prober.steps);
  return isWorthwhile ? findChance(prober) : null;
}

const Z_LIKELY = 5;
/** With fewer decisions, one share explains almost anything. */
const FEW_DECIDED = 100;

/** Whether one share of refusals explains the counts of all groups, and responses do not depend on the ones before. */
export function mayBeAtRandom(steps: readonly IdentifyStep[]): boolean {
  const all = steps.flatMap(({ groups }) => groups);
  const tallies = all.map(tallyOf);
  const share = shareOf(tallies);
  const decided = tallies.reduce((sum, each) => sum + each.all, 0);
  if (share === 0 || share === 1 || decided < FEW_DECIDED) return false;
  const groups = tallies.filter((each) => each.all > 0);
  // Counts that differ too little are not random either. The variance is larger with few requests in a group.
  const variance = groups.reduce(
    (sum, { all: count }) => sum + 2 + (1 / (share * (1 - share)) - 6) / count,
    0,
  );
  const offBy = Math.abs(chiSquareOf(groups, share) - groups.length);
  const outcomes = listDecided(responsesOf(steps)).map(({ outcome }) => outcome);
  const isSame = share ** 2 + (1 - share) ** 2;
  const pairs = outcomes.length - 1;
  const same = outcomes.filter((each, index) => each === outcomes[index - 1]).length;
  const doubt = Z_LIKELY * Math.sqrt(pairs * isSame * (1 - isSame));
  return (
    offBy < Z_LIKELY * Math.sqrt(Math.max(0, variance)) && Math.abs(same - pairs * isSame) < doubt
  );
}

const tallyOf = (group: ProbedGroup): Tally => {
  const refused = countOf(group, "refused");
  return { refused, all: refused + countOf(group, "admitted") };
};

/** The chi-square value, with one degree of freedom for each tally. */
const chiSquareOf = (tallies: readonly Tally[], share: number): number =>
  tallies.reduce(
    (sum, { refused, all }) => sum + (refused - all * share) ** 2 / (all * share * (1 - share)),
    0,
  );

/** A longer block of refusals is not random: by then, several requests were tried, and chance would admit one. */
const LONGEST_BLOCK_US = 500_000;

/** Bounds of a limit of requests in flight: how many others are in flight while a request is admitted or refused. */
interface FlightBounds {
  readonly most: number; // most other requests in flight while one was admitted
  readonly refusedAt: number; // fewest other requests in flight while one was refused
}

function boundsInFlight(
  steps: readonly IdentifyStep[],
  { tripUs, spreadUs, workUs }: ProbeTiming,
): FlightBounds {
  const all = responsesOf(steps);
  const responses = listDecided(all);
  const admitted = responses.filter(({ outcome }) => outcome === "admitted");
  // The server has a request from half a trip after it is sent to half a trip before its response.
  const wayUs = tripUs / 2;
  const slackUs = Math.min(workUs / 4, 2_000 + 1.5 * spreadUs);
  // Some of the lost requests may be in flight too.
  const lost = all.filter(({ outcome }) => outcome === "lost");
  const countIn = (
    others: readonly ProbeResponse[],
    own: ProbeResponse,
    isInFlight: (other: ProbeResponse, atUs: number) => boolean,
  ): number =>
    others.filter((other) => other !== own && isInFlight(other, own.sentUs + wayUs)).length;
  const surely = (other: ProbeResponse, atUs: number): boolean =>
    other.sentUs + wayUs + slackUs < atUs && other.receivedUs - wayUs - slackUs > atUs;
  const perhaps = (other: ProbeResponse, atUs: number): boolean =>
    other.sentUs + wayUs - slackUs < atUs && other.receivedUs - wayUs + slackUs > atUs;
  const mayBeLost = (other: ProbeResponse, atUs: number): boolean =>
    other.sentUs + wayUs - slackUs < atUs && other.sentUs + wayUs + workUs + slackUs > atUs;
  const countWhile = (
    outcome: ProbeResponse["outcome"],
    count: (own: ProbeResponse) => number,
  ): readonly number[] => responses.filter((own) => own.outcome === outcome).map(count);
  // Outliers are left out, because a few times are wrong by more on a busy machine.
  return {
    most: quantile(
      countWhile("admitted", (own) => countIn(admitted, own, surely)),
      1 - OUTLIERS,
    ),
    refusedAt: quantile(
      countWhile(
        "refused",
        (own) => countIn(admitted, own, perhaps) + countIn(lost, own, mayBeLost),
      ),
      OUTLIERS,
    ),
  };
}

const OUTLIERS = 0.02;

/** Whether all requests take about equally long. In a queue, waits would differ more. */
function isWorkAlike(steps: readonly IdentifyStep[], { tripUs }: ProbeTiming): boolean {
  const works = responsesOf(steps)
    .filter(({ outcome }) => outcome === "admitted")
    .map(({ sentUs, receivedUs }) => receivedUs - sentUs - tripUs);
  return quantile(works, 0.9) - quantile(works, 0.1) < quantile(works, 0.5);
}

/** The shortest work that shows what ends a block of refusals, as a multiple of the uncertainty of times. */
const LEAST_WORK = 6;
const FLIGHT_ROUNDS = 3;

/** Whether a window is as long as a response takes, so that the limit may be one of requests in flight. */
export const mayBeInFlight = (spanUs: number, timing: ProbeTiming): boolean =>
  timing.workUs > LEAST_WORK * doubtUs(timing) && Math.abs(spanUs / timing.workUs - 1) < ALIKE;

const ALIKE = 0.1;

async function findInFlight(prober: Prober): Promise<SpecialBehaviour | Failure | null> {
  const isPossible = (): boolean => {
    if (prober.timing.workUs <= LEAST_WORK * doubtUs(prober.timing)) return false;
    if (!isWorkAlike(prober.steps, prober.timing)) return false;
    const { most, refusedAt } = boundsInFlight(prober.steps, prober.timing);
    return most < refusedAt;
  };
  for (let round = 0; round < FLIGHT_ROUNDS; round++) {
    if (!isPossible()) return null;
    const most = boundsInFlight(prober.steps, prober.timing).refusedAt;
    const { workUs, tripUs } = prober.timing;
    const startUs = prober.target.nowUs() + 2 * (workUs + tripUs);
    // Sends half of the limit first: a limit of requests in flight admits more as soon as these requests end.
    const half = Math.ceil(most / 2);
    const groups = [
      groupAt(startUs, half),
      groupAt(startUs + 0.4 * workUs, most + 2),
      groupAt(startUs + 0.8 * workUs, 2),
      groupAt(startUs + 1.2 * workUs, most + 2),
      groupAt(startUs + 1.6 * workUs, most + 2),
    ];
    if (!prober.canSend(groups)) return null;
    const probed = await prober.send("requests while others are in flight", groups);
    if (isFailure(probed)) return probed;
  }
  if (!isPossible()) return null;
  const admittedAtOnce = Math.max(
    ...prober.steps.flatMap(({ groups }) =>
      groups.filter(({ everyUs }) => everyUs === 0).map((group) => countOf(group, "admitted")),
    ),
  );
  const { most, refusedAt } = boundsInFlight(prober.steps, prober.timing);
  return admittedAtOnce > most && admittedAtOnce <= refusedAt
    ? { kind: "in_flight", most: admittedAtOnce, workUs: prober.timing.workUs }
    : null;
}

const CHANCE_REQUESTS = 60;
const LEAST_ROUNDS = 3;
const MOST_ROUNDS = 12;
const ENOUGH = 10;
const ENOUGH_DISTANCES = 14;
/** A bound for two degrees of freedom, tested after each round: in 12 rounds it rejects at most 1 in 248 random limits. */
const MOST_CHI_SQUARE = 16;
/** Dispersion is 0 for evenly spaced refusals, and about 1 minus their share for random ones. */
const LEAST_DISPERSION = 0.15;
const MOST_DISPERSION = 3;
const Z_RANGE = 4;

/** Finds random refusals: the same share of requests is refused one by one, at once, and after pauses. */
async function findChance(prober: Prober): Promise<SpecialBehaviour | Failure | null> {
  const tallies = [0, 1, 2].map(() => ({ refused: 0, all: 0 }));
  const distances: number[] = [];
  const everyUs = Math.round(2_000 + 2 * doubtUs(prober.timing));
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const { budget, startUs } = prober;
    if (3 * CHANCE_REQUESTS > budget.requests / 2) return null;
    const burstUs = startUs + CHANCE_REQUESTS * everyUs + SECOND / 2;
    const pauses = Array.from({ length: 6 }, (_, index) =>
      groupAt(burstUs + ((index + 1) * SECOND) / 2, CHANCE_REQUESTS / 6),
    );
    const groups = [
      groupAt(startUs, CHANCE_REQUESTS, everyUs),
      groupAt(burstUs, CHANCE_REQUESTS),
      ...pauses,
    ];
    if (!prober.canSend(groups)) return null;
    const probed = await prober.send("one after the other, at once, and after pauses", groups);
    if (isFailure(probed)) return probed;
    const [steady, burst, ...paused] = probed;
    for (const [index, groups] of [[steady!], [burst!], paused].entries())
      for (const group of groups) {
        const { refused, all } = tallyOf(group);
        tallies[index]!.refused += refused;
        tallies[index]!.all += all;
      }
    distances.push(...distancesOf(steady!, shareOf(tallies) > 0.5 ? "admitted" : "refused"));
    if (!areAlike(tallies) || tallies.some((each) => isTooFew(each, round + 1))) return null;
    if (round + 1 < LEAST_ROUNDS || distances.length < ENOUGH_DISTANCES) continue;
    if (tallies.every(isEnough)) break;
  }
  const dispersion = dispersionOf(distances);
  const isAtRandom =
    tallies.every(isEnough) && dispersion > LEAST_DISPERSION && dispersion < MOST_DISPERSION;
  // All earlier requests must fit the same share.
  if (!isAtRandom || !mayBeAtRandom(prober.steps)) return null;
  const share = shareOf(tallies);
  const all = tallies.reduce((sum, each) => sum + each.all, 0);
  const doubt = Z_RANGE * Math.sqrt((share * (1 - share)) / all);
  return { kind: "chance", share, range: [Math.max(0, share - doubt), Math.min(1, share + doubt)] };
}

/** Whether there are enough admissions and refusals: some share always explains a small number of them. */
const isEnough = ({ refused, all }: Tally): boolean => refused >= ENOUGH && all - refused >= ENOUGH;

interface Tally {
  readonly refused: number;
  readonly all: number;
}

const shareOf = (tallies: readonly Tally[]): number =>
  tallies.reduce((sum, { refused }) => sum + refused, 0) /
  Math.max(
    1,
    tallies.reduce((sum, { all }) => sum + all, 0),
  );

/** Whether a tally will lack enough admissions or refusals even after all rounds. */
const isTooFew = ({ refused, all }: Tally, rounds: number): boolean =>
  rounds >= FEW_ROUNDS && 2 * MOST_ROUNDS * Math.min(refused, all - refused) < rounds * ENOUGH;

const FEW_ROUNDS = 4;

/** Whether one share explains all counts. */
function areAlike(tallies: readonly Tally[]): boolean {
  const share = shareOf(tallies);
  if (share === 0 || share === 1) return false;
  return chiSquareOf(tallies, share) < MOST_CHI_SQUARE;
}

/** The distances, in requests, between successive occurrences of the rarer outcome. */
function distancesOf(
  { responses }: ProbedGroup,
  rarer: ProbeResponse["outcome"],
): readonly number[] {
  const at = responses
    .toSorted((a, b) => a.sentUs - b.sentUs)
    .flatMap(({ outcome }, index) => (outcome === rarer ? [index] : []));
  return at.slice(1).map((each, index) => each - at[index]!);
}

/** The variance divided by the squared mean. */
function dispersionOf(values: readonly number[]): number {
  const mean = values.reduce((sum, each) => sum + each, 0) / values.length;
  const variance = values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / values.length;
  return variance / mean ** 2;
}

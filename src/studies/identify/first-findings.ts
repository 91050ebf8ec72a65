// Sends the first requests: growing bursts until a request is refused, then single requests after growing waits until
// one of them is admitted. Then repeats the waits in smaller steps.
import { formatDuration, micros, MILLISECOND, SECOND } from "../../kit/units.ts";
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { many } from "../../kit/reading/legible.ts";
import { NO_REQUESTS, NO_TIME, type IdentifyStep, type Prober } from "./prober.ts";
import type { CountRange, FirstFindings, MeasuredWait } from "./shapes.ts";
import { countOf, groupAt, type ProbedGroup } from "./target.ts";

interface WaitPlan {
  readonly firstUs: number;
  readonly growth: number;
}

const GROWTH = 3;
const FIRST_WAIT: WaitPlan = { firstUs: 20_000, growth: 1.5 };
const EDGE_DOUBT_US = 1_000;
/** After this many small steps, waits grow faster, because each refusal may extend the block. */
const MOST_FINE = 16;
const COARSE = 1.5;

interface Growth {
  readonly admitted: number;
  readonly unknown: number;
  readonly blockedAtUs: number; // when the first refused burst was sent
  readonly growingUs: number;
}

/** Measures a limit. Sends nothing before `notBeforeUs`, so that the limit rests. */
export async function findLimit(
  prober: Prober,
  notBeforeUs: number,
): Promise<FirstFindings | Failure> {
  const growth = await growUntilRefused(prober, notBeforeUs);
  if (isFailure(growth)) return growth;
  const { admitted, unknown, growingUs } = growth;
  const recovery = await waitUntilAdmitted(prober, growth.blockedAtUs, FIRST_WAIT);
  if (isFailure(recovery)) return recovery;
  const { blockedUs, recoveredUs } = recovery;
  const mostAdmitted = admitted + unknown;
  const found = { leastAdmitted: admitted, mostAdmitted, growingUs, blockedUs, recoveredUs };
  const measured = await measureWaits(prober, found, recovery);
  return isFailure(measured) ? measured : { ...found, ...measured };
}

/**
 * Factors by which waits grow, one for each round. A round's first wait is a little shorter than the known wait
 * (`BEFORE`): a window that does not begin with a request may end sooner after the limit is used up.
 */
const FINER = [1.12, 1.03, 1.01] as const;
const BEFORE = 0.975;
/** If the budget has time for fewer waits than this, some measurements are left out. */
const MANY_WAITS = 25;
/** The largest share of the remaining budget for one step: the experiments need the rest. */
const MOST_OF_TIME = 0.25;

type Measured = Pick<FirstFindings, "waits" | "restedCounts" | "slowCounts">;

async function measureWaits(
  prober: Prober,
  growth: Pick<FirstFindings, "leastAdmitted" | "mostAdmitted">,
  first: Recovery,
): Promise<Measured | Failure> {
  const { leastAdmitted, mostAdmitted } = growth;
  const waits: MeasuredWait[] = [
    { counts: [leastAdmitted, mostAdmitted], edgeUs: first.edgeUs, waitUs: null, isNext: false },
  ];
  const { target } = prober;
  let { blockedUs, recoveredUs } = first;
  let firstUs = recoveredUs;
  const isShort = prober.budget.us < MANY_WAITS * recoveredUs;
  for (const step of isShort ? FINER.slice(0, -1) : FINER) {
    const { requests, us } = prober.budget;
    const size = burstOver(mostAdmitted);
    if (1.5 * recoveredUs > MOST_OF_TIME * us || size > MOST_OF_TIME * requests) break;
    const burst = await prober.send("the limit used up again", [groupAt(target.nowUs(), size)]);
    if (isFailure(burst)) return burst;
    const { admitted, refused, lost } = talliesOf(burst[0]!);
    if (refused === 0) break;
    // If no request was refused in the last round, the next round starts with a shorter wait and coarse steps.
    const isKnown = blockedUs > 0;
    firstUs = isKnown ? BEFORE * (2 * blockedUs - recoveredUs) : firstUs / 2;
    const recovery = await waitUntilAdmitted(prober, firstSentUs(burst[0]!), {
      firstUs: Math.max(FIRST_WAIT.firstUs, firstUs),
      growth: isKnown ? step : COARSE,
    });
    if (isFailure(recovery)) return recovery;
    ({ blockedUs, recoveredUs } = recovery);
    waits.push({
      counts: [admitted + 1, admitted + lost + 1],
      edgeUs: recovery.edgeUs,
      waitUs: blockedUs > 0 ? [blockedUs, recoveredUs] : null,
      isNext: blockedUs > 0,
    });
  }
  const rested = await measureCounts(prober, growth, recoveredUs, waits);
  return isFailure(rested) ? rested : { waits, ...rested };
}

/** Measures how many requests are admitted after a rest: at once, and one after the other. */
async function measureCounts(
  prober: Prober,
  { leastAdmitted, mostAdmitted }: Pick<FirstFindings, "leastAdmitted" | "mostAdmitted">,
  recoveredUs: number,
  waits: readonly MeasuredWait[],
): Promise<Pick<Measured, "restedCounts" | "slowCounts"> | Failure> {
  const restedCounts: CountRange[] = [];
  const slowCounts: CountRange[] = [];
  const isOneByOne = waits.slice(1).some(({ counts }) => 2 * counts[1] <= mostAdmitted);
  const restUs = 1.2 * recoveredUs * (isOneByOne ? mostAdmitted : 1);
  const size = burstOver(mostAdmitted);
  const everyUs = Math.round(SLOW_US + 2 * prober.timing.spreadUs);
  const isShort = prober.budget.us < MANY_WAITS * recoveredUs;
  const isSlowShort = !isShort && size * everyUs < 0.4 * recoveredUs;
  const send = async (isSlow: boolean, waitUs: number): Promise<boolean | Failure> => {
    const { requests, us } = prober.budget;
    if (waitUs + size * everyUs > MOST_OF_TIME * us || size > MOST_OF_TIME * requests) return false;
    const atUs = Math.round(prober.target.nowUs() + waitUs);
    const group = groupAt(atUs, size, isSlow ? everyUs : 0);
    const title = isSlow ? "one after the other after a rest" : "at once after a rest";
    const probed = await prober.send(title, [group]);
    if (isFailure(probed)) return probed;
    const { admitted, lost } = talliesOf(probed[0]!);
    (isSlow ? slowCounts : restedCounts).push([admitted, admitted + lost]);
    return admitted + lost < LEAST_RESTED * leastAdmitted;
  };
  // If fewer are admitted than at first, the limit had not rested for long enough.
  let waitUs = restUs;
  for (let rest = 0; rest < MOST_RESTS; rest++, waitUs *= 2) {
    const isTooShort = await send(false, waitUs);
    if (isFailure(isTooShort)) return isTooShort;
    if (!isTooShort) break;
  }
  if (isSlowShort) {
    const slow = await send(true, waitUs);
    if (isFailure(slow)) return slow;
  } else if (!isShort) {
    const exact = await measureExactly(prober, mostAdmitted, recoveredUs, waitUs);
    if (isFailure(exact)) return exact;
    if (exact !== null) slowCounts.push(exact);
  }
  return { restedCounts, slowCounts };
}

/** A limit that overshoots in bursts may be as small as this share of the requests it admitted. */
const LEAST_PART = 0.55;
const MOST_SINGLES = 10;
const FEW_SINGLES = 3;
const MOST_PARTS = 8;

/**
 * For a window too short to send all requests one by one: sends most of them at once, and the last ones singly. The
 * requests sent at once stay below the limit, so the limit cannot overshoot. Null: the count was not found.
 */
async function measureExactly(
  prober: Prober,
  mostAdmitted: number,
  recoveredUs: number,
  restUs: number,
): Promise<CountRange | Failure | null> {
  const everyUs = SLOW_US + 2 * prober.timing.spreadUs;
  const singles = Math.min(MOST_SINGLES, Math.floor((0.5 * recoveredUs) / everyUs) - 1);
  if (singles < FEW_SINGLES) return null;
  let [least, most] = [Math.floor(LEAST_PART * mostAdmitted), mostAdmitted + 1];
  for (let part = 0; part < MOST_PARTS && least < most; part++) {
    const { requests, us } = prober.budget;
    const atOnce = Math.max(1, Math.ceil((least + most - singles) / 2));
    if (restUs > MOST_OF_TIME * us || atOnce + singles > MOST_OF_TIME * requests) return null;
    const atUs = Math.round(prober.target.nowUs() + restUs);
    const title = "most of them at once, and the others one after the other";
    const probed = await prober.send(title, [
      groupAt(atUs, atOnce),
      groupAt(atUs + everyUs, singles, everyUs),
    ]);
    if (isFailure(probed)) return probed;
    const [first, others] = probed.map(talliesOf) as [Tallies, Tallies];
    const lost = first.lost + others.lost;
    const admitted = first.admitted + others.admitted;
    if (first.refused > 0 || (others.admitted === 0 && others.refused > 0)) most = atOnce;
    else if (others.refused === 0) least = atOnce + singles;
    else return [admitted, admitted + lost];
    if (most <= singles) return null;
  }
  return null;
}

type Tallies = ReturnType<typeof talliesOf>;

const SLOW_US = 3_000;
const MOST_RESTS = 4;
const LEAST_RESTED = 0.9;

const burstOver = (most: number): number => most + 2 + Math.ceil(most / 4);

const talliesOf = (group: ProbedGroup) => ({
  admitted: countOf(group, "admitted"),
  refused: countOf(group, "refused"),
  lost: countOf(group, "lost"),
});

export const firstSentUs = ({ responses }: ProbedGroup): number =>
  Math.min(...responses.map(({ sentUs }) => sentUs));

async function growUntilRefused(prober: Prober, notBeforeUs: number): Promise<Growth | Failure> {
  const { target } = prober;
  const startUs = Math.max(target.nowUs(), notBeforeUs);
  let [admitted, unknown, size] = [0, 0, 1];
  for (;;) {
    if (size > prober.budget.requests) {
      const isRefused = describeRefusal(prober.steps) !== "";
      return new Failure(isRefused ? NO_REQUESTS : whyNoLimit(prober.steps, size));
    }
    if (prober.budget.us <= 0) return new Failure(NO_TIME);
    const atUs = Math.max(target.nowUs(), notBeforeUs);
    const probed = await prober.send("more at once", [groupAt(atUs, size)]);
    if (isFailure(probed)) return probed;
    const group = probed[0]!;
    unknown += countOf(group, "lost");
    admitted += countOf(group, "admitted");
    const blockedAtUs = Math.min(...group.responses.map(({ sentUs }) => sentUs));
    if (countOf(group, "refused") > 0)
      return { admitted, unknown, blockedAtUs, growingUs: target.nowUs() - startUs };
    if (countOf(group, "lost") < group.count) size *= GROWTH;
  }
}

/** How many requests were sent, how many of them may have been refused unseen, and what the next burst takes. */
export function whyNoLimit(steps: readonly IdentifyStep[], size: number): string {
  const groups = steps.flatMap((step) => step.groups);
  const sent = groups.reduce((sum, { count }) => sum + count, 0);
  const lost = groups.reduce((sum, group) => sum + countOf(group, "lost"), 0);
  const unanswered = lost === 0 ? "" : `, ${lost} of which got no response`;
  return `${NO_LIMIT} ${many(sent, "request")}${unanswered}: the next burst has ${size}, which --requests ${sent + size} allows`;
}

interface Recovery {
  readonly blockedUs: number;
  readonly recoveredUs: number;
  readonly edgeUs: readonly [fromUs: number, toUs: number];
}

export async function waitUntilAdmitted(
  prober: Prober,
  blockedAtUs: number,
  { firstUs, growth }: WaitPlan,
): Promise<Recovery | Failure> {
  const { target } = prober;
  let [waitUs, blockedUs] = [firstUs, 0];
  for (let waits = 0; ; waits++) {
    const atUs = Math.max(target.nowUs(), Math.round(blockedAtUs + waitUs));
    const isTimeOver = atUs - target.nowUs() > prober.budget.us;
    if (isTimeOver || prober.budget.requests < 2)
      return new Failure(whyBlocked(blockedUs, isTimeOver));
    const probed = await prober.send("a longer wait", [groupAt(atUs, 1)]);
    if (isFailure(probed)) return probed;
    const [response] = probed[0]!.responses;
    const recoveredUs = target.nowUs() - blockedAtUs;
    if (response!.outcome === "admitted") {
      // A request reaches the server after half of a usual round trip.
      const wayUs = Math.max(0, prober.timing.tripUs / 2 - EDGE_DOUBT_US);
      const edgeUs = [blockedAtUs + blockedUs + wayUs, response!.receivedUs - wayUs] as const;
      return { blockedUs, recoveredUs, edgeUs };
    }
    if (response!.outcome === "refused") blockedUs = response!.sentUs - blockedAtUs;
    waitUs = Math.max(waitUs, recoveredUs) * (waits < MOST_FINE ? growth : COARSE);
  }
}

function whyBlocked(blockedUs: number, isTimeOver: boolean): string {
  if (blockedUs === 0) return isTimeOver ? NO_TIME : NO_REQUESTS;
  const step = blockedUs < SECOND ? MILLISECOND : SECOND / 10;
  const waited = formatDuration(micros(step * Math.floor(blockedUs / step)));
  const ending = isTimeOver ? "" : "; the caps leave no request after a longer wait";
  return `${BLOCKED} ${waited}${ending}`;
}

/** The beginning of the reason if nothing was admitted again. */
export const BLOCKED = "refused, and not admitted again within";

/** Describes the findings for users, who see them if no behaviour is named. */
export function describeFindings({
  leastAdmitted,
  mostAdmitted,
  blockedUs,
  recoveredUs,
  waits,
}: FirstFindings): string {
  const known = waits.flatMap(({ counts: [least, most], waitUs }) =>
    waitUs === null ? [] : [`${countText(least, most)}, ${nextText(waitUs[0], waitUs[1])}`],
  );
  return [
    `${untilRefused(leastAdmitted, mostAdmitted)}, ${nextText(blockedUs, recoveredUs)}`,
    ...known.slice(0, MOST_DESCRIBED),
  ].join("; then ");
}

/** The beginning of the reason for nothing if no request was refused. */
const NO_LIMIT = "no limit was found within";

const MOST_DESCRIBED = 3;

/** Between which two times one more request was admitted. */
function nextText(blockedUs: number, recoveredUs: number): string {
  const [from, to] = [blockedUs, recoveredUs].map((us) => (us / SECOND).toFixed(2));
  return Number(from) === 0
    ? `the next one within ${to} s`
    : `the next one ${from} to ${to} s later`;
}

const countText = (least: number, most: number): string =>
  least === most ? many(most, "request") : `${least} to ${many(most, "request")}`;

const untilRefused = (least: number, most: number): string =>
  `${countText(least, most)} admitted until one was refused`;

/** Describes the requests until the first refusal, if nothing was found after it; empty: no request was refused. */
export function describeRefusal(steps: readonly IdentifyStep[]): string {
  const tallies = steps.flatMap(({ groups }) => groups).map(talliesOf);
  const refusedAt = tallies.findIndex(({ refused }) => refused > 0);
  if (refusedAt === -1) return "";
  const until = tallies.slice(0, refusedAt + 1);
  const least = until.reduce((sum, { admitted }) => sum + admitted, 0);
  return untilRefused(
    least,
    until.reduce((sum, { lost }) => sum + lost, least),
  );
}

/** Whether a burst lost more requests than networks lose, and admitted a request after over half of the patience. */
export const isQueueTooLong = (steps: readonly IdentifyStep[], patienceUs: number): boolean =>
  steps
    .flatMap(({ groups }) => groups)
    .some(
      (group) =>
        countOf(group, "lost") > LOST_BY_CHANCE + LOST_SHARE * group.count &&
        group.responses.some(
          ({ outcome, sentUs, receivedUs }) =>
            outcome === "admitted" && receivedUs - sentUs > patienceUs / 2,
        ),
    );

const LOST_BY_CHANCE = 1;
const LOST_SHARE = 0.05;

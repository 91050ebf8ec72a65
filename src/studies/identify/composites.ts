// Drafts pairs of limits, and limits with a pause after a refusal, if no single limit explains the responses.
import { isFailure, type Failure } from "../../kit/reading/failure.ts";
import { doubtUs } from "./evidence.ts";
import type { BehaviourName, LimitNumbers } from "./behaviour.ts";
import type { ShapeDraft } from "./fit.ts";
import { responsesOf, type Prober } from "./prober.ts";
import { overOf } from "./experiment.ts";
import { firstSentUs, waitUntilAdmitted } from "./first-findings.ts";
import { hasFewDigits, isConventional, listRoundSpans } from "./round-numbers.ts";
import type { CountRange, FirstFindings } from "./shapes.ts";
import { countOf, groupAt, type ProbeResponse } from "./target.ts";

const KINDS = ["window", "free_log", "bucket"] as const satisfies readonly BehaviourName[];
const PAIRED = ["window", "free_log"] as const satisfies readonly BehaviourName[];
const MOST_SPANS = 6;
const MOST_COUNTS = 3;
/** Limits shorter than this multiple of the uncertainty of times cannot be seen. */
const LEAST_SEEN = 4;

/** Drafts pauses and pairs of limits. Responses before step `first` are ignored. */
export async function draftComposites(
  prober: Prober,
  findings: FirstFindings,
  first: number,
): Promise<readonly ShapeDraft[] | Failure> {
  const ended = await waitForBlock(prober);
  if (isFailure(ended)) return ended;
  const pauses = await draftPauses(prober, findings);
  if (isFailure(pauses)) return pauses;
  const pairs = await draftPairs(prober, findings, first);
  return isFailure(pairs) ? pairs : [...pauses, ...pairs];
}

const BLOCK_GROWTH = 1.06;

/** Waits until nothing is refused any more: this also measures how long a second limit refuses. */
async function waitForBlock(prober: Prober): Promise<Failure | null> {
  const responses = responsesOf(prober.steps).toSorted((a, b) => a.sentUs - b.sentUs);
  const last = responses.findLastIndex(({ outcome }) => outcome === "admitted");
  const refused = responses.slice(last + 1).find(({ outcome }) => outcome === "refused");
  if (refused === undefined) return null;
  const firstUs = prober.target.nowUs() - refused.sentUs;
  const plan = { firstUs, growth: BLOCK_GROWTH };
  const recovery = await waitUntilAdmitted(prober, refused.sentUs, plan);
  return isFailure(recovery) ? recovery : null;
}

/** The most rounds of halving, and the ratio of bounds at which halving ends. */
const MOST_HALVINGS = 10;
const CLOSE = 1.15;

/**
 * Drafts pauses. Uses up exactly the limit, so that no refusal begins a pause, and tests with one more request whether
 * the window is over. If responses were lost, the limit may be larger by their number, so as many more are sent.
 */
async function draftPauses(
  prober: Prober,
  findings: FirstFindings,
): Promise<readonly ShapeDraft[] | Failure> {
  const [capacity, most] = countsRested(findings);
  if (capacity < 1) return [];
  const more = most - capacity + 1;
  const [leastUs, mostUs] = shortestWait(findings);
  let [fromUs, toUs] = [0, leastUs];
  let restUs = 1.1 * mostUs;
  for (let halving = 0; halving < MOST_HALVINGS && toUs > CLOSE * fromUs; halving++) {
    const { requests, us } = prober.budget;
    const afterUs = fromUs === 0 ? toUs / 3 : Math.sqrt(fromUs * toUs);
    if (afterUs < 20_000 || restUs + 3 * afterUs > us || most + 1 > requests) break;
    const startUs = prober.target.nowUs() + restUs;
    const probed = await prober.send("no more than the limit, and another request", [
      groupAt(startUs, capacity),
      groupAt(startUs + afterUs, more),
    ]);
    if (isFailure(probed)) return probed;
    if (countOf(probed[0]!, "refused") > 0) return [];
    // If requests were lost, the limit may not be used up.
    const isLossy = countOf(probed[0]!, "admitted") < capacity;
    const isAdmitted = !isLossy && countOf(probed[1]!, "admitted") === more;
    const isRefused = countOf(probed[1]!, "refused") > 0;
    const apartUs = firstSentUs(probed[1]!) - firstSentUs(probed[0]!);
    if (isAdmitted) toUs = apartUs;
    if (isRefused) fromUs = Math.min(apartUs, toUs);
    // If the request was refused, it began a pause, which has to end before the next round.
    restUs = isRefused ? 1.1 * mostUs : 1.3 * toUs;
  }
  if (toUs === leastUs) return [];
  const doubt = doubtUs(prober.timing);
  const known = [leastUs - doubt, mostUs + doubt] as const;
  const pause =
    listRoundSpans(...known).length > 0 ? known : await measurePause(prober, capacity, known);
  if (isFailure(pause)) return pause;
  const counts = Array.from({ length: Math.min(more, MOST_COUNTS) }, (_, index) => most - index);
  return listSpans(...pause).flatMap((pauseUs) =>
    KINDS.flatMap((name) =>
      counts.map((count) => ({
        name,
        capacity: count,
        fromUs: (name === "bucket" ? 0.5 : 0.9) * Math.max(fromUs, toUs / 20),
        toUs: 1.2 * toUs,
        edgeUs: null,
        spansUs: null,
        pauseUs,
      })),
    ),
  );
}

/** Narrows the bounds of a pause by halving. Only needed if no round number is between them. */
async function measurePause(
  prober: Prober,
  capacity: number,
  known: readonly [number, number],
): Promise<readonly [number, number] | Failure> {
  let [fromUs, toUs] = known;
  let startUs = prober.target.nowUs() + 1.1 * toUs;
  for (let halving = 0; halving < MOST_HALVINGS; halving++) {
    const { requests, us } = prober.budget;
    const isClose = toUs - fromUs < LEAST_SEEN * doubtUs(prober.timing);
    if (isClose || 3 * toUs > us || 2 * capacity + 4 > requests) break;
    const afterUs = (fromUs + toUs) / 2;
    const probed = await prober.send("the limit exceeded, and one request when the pause may end", [
      groupAt(startUs, overOf(capacity)),
      groupAt(startUs + afterUs, 1),
    ]);
    if (isFailure(probed)) return probed;
    const apartUs = firstSentUs(probed[1]!) - firstSentUs(probed[0]!);
    if (countOf(probed[1]!, "admitted") > 0) toUs = Math.max(apartUs, fromUs);
    if (countOf(probed[1]!, "refused") > 0) fromUs = Math.min(apartUs, toUs);
    startUs = Math.max(prober.target.nowUs(), startUs + 1.05 * toUs);
  }
  return [fromUs, toUs];
}

const LATER = 1.01;
/** A wait longer than the first one by this factor belongs to a second limit. */
const LONGER = 1.5;

/** How many requests are admitted after a rest. Slow first bursts are left out: they may have met a second window. */
function countsRested({
  leastAdmitted,
  mostAdmitted,
  growingUs,
  recoveredUs,
  restedCounts,
  slowCounts,
}: FirstFindings): CountRange {
  const first: CountRange = [leastAdmitted, mostAdmitted];
  const rested = [...restedCounts, ...slowCounts];
  const isQuick = rested.length === 0 || growingUs < FAST * recoveredUs;
  const all = isQuick ? [first, ...rested] : rested;
  const least = Math.max(...all.map(([count]) => count));
  return [least, Math.min(...all.map(([, count]) => count).filter((count) => count >= least))];
}

const FAST = 0.2;

const countRested = (findings: FirstFindings): number => countsRested(findings)[0];

/** The time from a refusal to the next admission, as closely as it was measured. */
function shortestWait({ blockedUs, recoveredUs, waits }: FirstFindings): readonly [number, number] {
  const known = waits.flatMap(({ waitUs }) =>
    waitUs === null || waitUs[0] > LONGER * recoveredUs ? [] : [waitUs],
  );
  const least = Math.max(blockedUs, ...known.map(([fromUs]) => fromUs));
  const most = Math.min(recoveredUs, ...known.map(([, toUs]) => toUs));
  return least < most ? [least, most] : [blockedUs, recoveredUs];
}

/** Candidates for a span: conventional numbers and some other round ones; the middle if there is none. */
function listSpans(fromUs: number, toUs: number): readonly number[] {
  const round = listRoundSpans(fromUs, toUs);
  const step = Math.max(1, Math.ceil(round.length / MOST_SPANS));
  const chosen = round.filter((us, index) => index % step === 0 || isConventional(us));
  return round.length === 0 ? [Math.round((fromUs + toUs) / 2)] : chosen;
}

interface Block {
  readonly admittedUs: readonly number[]; // times of the admissions before the block
  readonly refusedUs: number; // time of the block's last refusal
  readonly endUs: number;
  readonly lengthUs: number;
}

const MOST_SECOND_COUNTS = 60;
/** This many of the largest counts are all tried: almost all admitted requests together use up the second limit. */
const LATEST_COUNTS = 12;
/** A measured span may be wrong by this factor in both directions. */
const AROUND = 1.03;

/** The factors by which waits grow in the two rounds that measure the first limit while the second is rested. */
const FIRST_GROWTH = [1.05, 1.012] as const;
const RESTED = 1.3;
/** The largest share of the remaining time for one measurement. */
const MOST_OF_TIME = 0.2;

/** Measures how long the first limit refuses while the second does not, as closely as the time allows. */
async function measureFirst(
  prober: Prober,
  findings: FirstFindings,
  second: Block,
): Promise<readonly [number, number] | Failure> {
  let [leastUs, mostUs] = shortestWait(findings);
  const count = overOf(countRested(findings));
  for (const growth of FIRST_GROWTH) {
    const restUs = RESTED * second.lengthUs;
    if (restUs + 2 * mostUs > MOST_OF_TIME * prober.budget.us || 2 * count > prober.budget.requests)
      break;
    const startUs = prober.target.nowUs() + restUs;
    const probed = await prober.send("the limit used up after a long rest", [
      groupAt(startUs, count),
    ]);
    if (isFailure(probed)) return probed;
    const plan = { firstUs: 0.97 * leastUs, growth };
    const recovery = await waitUntilAdmitted(prober, firstSentUs(probed[0]!), plan);
    if (isFailure(recovery)) return recovery;
    // After so long a wait, the second limit may have been used up too, so the measured time is ignored.
    if (recovery.recoveredUs > LONGER * mostUs) continue;
    leastUs = Math.max(leastUs, recovery.blockedUs);
    mostUs = Math.min(mostUs, Math.max(recovery.recoveredUs, leastUs));
  }
  return [leastUs, mostUs];
}

/**
 * Drafts two limits. A long block of refusals is due to the second limit, shorter blocks to the first. Each possible
 * count of the second limit gives a span: the limit admits again when the oldest of that many requests expires.
 */
async function draftPairs(
  prober: Prober,
  findings: FirstFindings,
  first: number,
): Promise<readonly ShapeDraft[] | Failure> {
  const responses = responsesOf(prober.steps.slice(first));
  const { recoveredUs } = findings;
  const ownCount = countRested(findings);
  const long = listBlocks(responses).find(({ lengthUs }) => lengthUs > LONGER * recoveredUs);
  if (long === undefined || shortestWait(findings)[1] < LEAST_SEEN * doubtUs(prober.timing))
    return [];
  const measured = await measureFirst(prober, findings, long);
  if (isFailure(measured)) return measured;
  // Widens the bounds: the limit was used up a little after its window began, and times are uncertain.
  const doubt = doubtUs(prober.timing);
  const rangeUs = [measured[0] - doubt, LATER * measured[1] + doubt] as const;
  const isSingle = listRoundSpans(...rangeUs).length === 1;
  const firsts = listSpans(...rangeUs).map((spanUs): LimitNumbers => ({
    capacity: ownCount,
    spanUs,
    ...(isSingle ? {} : { rangeUs }),
  }));
  const counts = Array.from({ length: long.admittedUs.length }, (_, index) => index + 1)
    .filter(
      (count, index, all) =>
        count > ownCount &&
        (hasFewDigits(count) || count % ownCount === 0 || index >= all.length - LATEST_COUNTS),
    )
    .slice(-MOST_SECOND_COUNTS);
  return counts.flatMap((capacity) => {
    const sinceUs = long.admittedUs.at(-capacity)!;
    const [fromUs, toUs] = [(long.refusedUs - sinceUs) / AROUND, (long.endUs - sinceUs) * AROUND];
    return PAIRED.flatMap((name) =>
      firsts.map((numbers): ShapeDraft => ({
        name,
        capacity,
        fromUs,
        toUs,
        edgeUs: null,
        spansUs: null,
        first: numbers,
      })),
    );
  });
}

function listBlocks(responses: readonly ProbeResponse[]): readonly Block[] {
  const sorted = responses.toSorted((a, b) => a.sentUs - b.sentUs);
  const blocks: Block[] = [];
  const admittedUs: number[] = [];
  let [sinceUs, refusedUs]: [number | null, number] = [null, 0];
  for (const { outcome, sentUs } of sorted) {
    if (outcome === "refused") {
      sinceUs ??= sentUs;
      refusedUs = sentUs;
    } else if (outcome === "admitted") {
      if (sinceUs !== null)
        blocks.push({
          admittedUs: [...admittedUs],
          refusedUs,
          endUs: sentUs,
          lengthUs: sentUs - sinceUs,
        });
      sinceUs = null;
      admittedUs.push(sentUs);
    }
  }
  return blocks;
}

// Fits the span of one shape on a continuous scale: which windows or intervals explain all responses so far. A span
// that admits too many is too short, one that admits too few is too long, so bounds are narrowed by halving.
import { countSavedUp } from "./behaviour-of.ts";
import type { BehaviourName, LimitBehaviour, LimitNumbers } from "./behaviour.ts";
import { roundestBetween } from "./round-numbers.ts";
import type { Suspect } from "./suspect.ts";

/** A shape with its count of requests, and the bounds between which its span is searched. */
export interface ShapeDraft {
  readonly name: BehaviourName;
  readonly capacity: number;
  readonly fromUs: number;
  readonly toUs: number;
  readonly edgeUs: Suspect["edgeUs"];
  /** The only possible spans of the shape; null: any span is possible. */
  readonly spansUs: readonly number[] | null;
  /** The first of two limits; the free span is that of the second. */
  readonly first?: LimitNumbers;
  readonly pauseUs?: number;
  /** True if the first bursts grew over several windows: what a window admits of them then varies with its length. */
  readonly isUneven?: boolean;
}

/** The free span of a behaviour: with two limits that of the second. */
export const freeSpanOf = ({ spanUs, second }: LimitBehaviour): number => second?.spanUs ?? spanUs;

export function behaviourAt(
  { name, capacity, first, pauseUs }: ShapeDraft,
  us: number,
): LimitBehaviour {
  if (first !== undefined) return { name, ...first, second: { capacity, spanUs: us } };
  // The number of saved requests follows from the interval.
  const count = name === "credit_bucket" ? countSavedUp(us) : capacity;
  return { name, capacity: count, spanUs: us, ...(pauseUs === undefined ? {} : { pauseUs }) };
}

/** Either the suspect after all responses, or the first step that it does not explain. */
type SpanExplanation =
  | { readonly suspect: Suspect }
  | { readonly step: number; readonly steps: number; readonly admitsTooMany: boolean };

export type Explain = (behaviour: LimitBehaviour, edgeUs: Suspect["edgeUs"]) => SpanExplanation;

interface Tried {
  readonly us: number;
  readonly result: SpanExplanation;
}

const GRID_RATIO = 1.3;
const MOST_HALVINGS = 70;
/** Two spans are indistinguishable if their ratio and difference are smaller than both of these. */
const FINEST_RATIO = 1.0005;
const FINEST_US = 500;
/** How many of the spans that explain everything become suspects. */
const SIBLINGS = 5;

/** Suspects with different spans that explain the responses, and a draft whose bounds exclude other spans. */
export interface Fit {
  readonly draft: ShapeDraft;
  readonly suspects: readonly Suspect[]; // empty: no span explains the responses
}

export function fitSpans(draft: ShapeDraft, explain: Explain): Fit {
  const { edgeUs, spansUs } = draft;
  const evaluate = (us: number): Tried => ({
    us,
    result: explain(behaviourAt(draft, us), edgeUs),
  });
  if (spansUs !== null) {
    const suspects = suspectsIn(evaluateList(spansUs, evaluate));
    return { draft: { ...draft, spansUs: spansOf(suspects) }, suspects };
  }
  const isFine = FINE.has(draft.name) || draft.isUneven === true;
  let tried = halve(gridOf(draft, isFine).map(evaluate), evaluate, isFine);
  // Lost requests may have been decided or not, so halving may have missed a true span.
  if (!isFine && suspectsIn(tried).length === 0 && isAlmostExplained(tried))
    tried = halve(gridOf(draft, true).map(evaluate), evaluate, true);
  if (suspectsIn(tried).length === 0) tried = searchPeak(tried, draft, evaluate);
  const found = suspectsIn(tried);
  if (found.length === 0) return { draft, suspects: [] };
  const spans = spansOf(found);
  const round = roundestBetween(draft, spans[0]!, spans.at(-1)!);
  const siblings = pickSiblings(found);
  return {
    draft: { ...draft, ...boundsAround(tried) },
    suspects:
      round === null || spans.includes(round)
        ? siblings
        : [...suspectsIn([evaluate(round)]), ...siblings],
  };
}

const COARSE = 8;

/** Tries a list of spans, but not those between two that fail alike: in the same step and in the same direction. */
function evaluateList(
  spansUs: readonly number[],
  evaluate: (us: number) => Tried,
): readonly Tried[] {
  const isAlike = ({ result: a }: Tried, { result: b }: Tried): boolean =>
    "step" in a && "step" in b && a.step === b.step && a.admitsTooMany === b.admitsTooMany;
  const coarse = spansUs
    .filter((_, index) => index % COARSE === 0 || index === spansUs.length - 1)
    .map(evaluate);
  return coarse.flatMap((tried, index) => {
    const next = coarse[index + 1];
    if (next === undefined || isAlike(tried, next)) return [tried];
    return [tried, ...spansUs.filter((us) => us > tried.us && us < next.us).map(evaluate)];
  });
}

/** Tries spans between those with different results, until no response distinguishes them. */
function halve(
  grid: readonly Tried[],
  evaluate: (us: number) => Tried,
  isFine: boolean,
): readonly Tried[] {
  const tried = [...grid];
  for (let halving = 0; halving < MOST_HALVINGS; halving++) {
    const at = findWorthHalving(tried, isFine);
    if (at === null) break;
    tried.splice(at + 1, 0, evaluate(Math.sqrt(tried[at]!.us * tried[at + 1]!.us)));
  }
  return tried;
}

const PEAK = 3;
const PEAK_RATIO = 1.03;

/** If one span explains more steps than others, tries spans around it in both directions. */
function searchPeak(
  tried: readonly Tried[],
  draft: ShapeDraft,
  evaluate: (us: number) => Tried,
): readonly Tried[] {
  const stepOf = ({ result }: Tried): number => ("step" in result ? result.step : Infinity);
  const sorted = tried.toSorted((a, b) => stepOf(b) - stepOf(a));
  const [best] = sorted;
  const typical = sorted[Math.floor(sorted.length / 2)];
  if (best === undefined || stepOf(best) < stepOf(typical!) + PEAK) return tried;
  const [fromUs, toUs] = [best.us / PEAK_RATIO, best.us * PEAK_RATIO];
  const around = halve(gridOf({ ...draft, fromUs, toUs }, true).map(evaluate), evaluate, true);
  return [...tried, ...around].toSorted((a, b) => a.us - b.us);
}

const ALMOST = 0.5;

/** Whether some span explains most of the steps. */
const isAlmostExplained = (tried: readonly Tried[]): boolean =>
  tried.some(({ result }) => "step" in result && result.step >= ALMOST * result.steps);

const spansOf = (suspects: readonly Suspect[]): readonly number[] =>
  suspects.map(({ behaviour }) => freeSpanOf(behaviour));

/** The bounds: the longest span that is too short, and the shortest that is too long. */
function boundsAround(tried: readonly Tried[]): Pick<ShapeDraft, "fromUs" | "toUs"> {
  const isFitting = ({ result }: Tried): boolean => "suspect" in result;
  const first = tried.findIndex(isFitting);
  const last = tried.findLastIndex(isFitting);
  return {
    fromUs: tried[Math.max(0, first - 1)]!.us,
    toUs: tried[Math.min(tried.length - 1, last + 1)]!.us,
  };
}

const suspectsIn = (tried: readonly Tried[]): readonly Suspect[] =>
  tried.flatMap(({ result }) => ("suspect" in result ? [result.suspect] : []));

/** The fewest grid cells of a fine search: longer windows may end sooner, so a fitting span may be in any cell. */
const FINE_CELLS = 24;
const FINE: ReadonlySet<BehaviourName> = new Set([
  "shifted_window",
  "key_window",
  "request_windows",
  "counted_windows",
]);

function gridOf({ fromUs, toUs }: ShapeDraft, isFine: boolean): readonly number[] {
  const least = Math.max(1, fromUs);
  const cells = Math.max(
    isFine ? FINE_CELLS : 2,
    Math.ceil(Math.log(toUs / least) / Math.log(GRID_RATIO)),
  );
  return Array.from({ length: cells + 1 }, (_, index) => least * (toUs / least) ** (index / cells));
}

/** The index of the tried span before the most promising gap, which is halved next; null: no gap is worth it. */
function findWorthHalving(tried: readonly Tried[], isFine: boolean): number | null {
  let best: number | null = null;
  let most = -1;
  for (let at = 0; at + 1 < tried.length; at++) {
    const [a, b] = [tried[at]!, tried[at + 1]!];
    if (b.us / a.us < FINEST_RATIO && b.us - a.us < FINEST_US) continue;
    const worth = worthOf(a, b, isFine);
    if (worth <= most) continue;
    most = worth;
    best = at;
  }
  return best;
}

/** How promising the gap between two tried spans is; below 0: no span in it explains the responses. */
function worthOf(
  { us: aUs, result: a }: Tried,
  { us: bUs, result: b }: Tried,
  isFine: boolean,
): number {
  const width = Math.min(1, bUs / aUs - 1);
  if ("suspect" in a && "suspect" in b) return -1;
  if ("suspect" in a || "suspect" in b) return 1_000 + width;
  const isBetween = a.admitsTooMany && !b.admitsTooMany;
  if (isBetween) return Math.max(a.step, b.step) + width;
  // A fine search also halves between spans that fail in different steps.
  return isFine && a.step !== b.step ? width : -1;
}

function pickSiblings(found: readonly Suspect[]): readonly Suspect[] {
  if (found.length <= SIBLINGS) return found;
  return Array.from(
    { length: SIBLINGS },
    (_, index) => found[Math.round((index * (found.length - 1)) / (SIBLINGS - 1))]!,
  );
}

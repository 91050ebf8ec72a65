// Numbers of a limit that are enough and change least: one of them, or its rate and its burst together. The numbers with
// which a sender gets least through at worst come first.
import type { DecidedLog, Refused } from "./decide-again.ts";
import type { NumberInFile, NumbersOfRule } from "./number-in-file.ts";

export interface NumberChange {
  readonly what: keyof NumbersOfRule;
  readonly number: NumberInFile;
  readonly value: number; // the new one
}

/** Numbers of one limit that are enough. */
export interface LargerLimit {
  readonly values: readonly NumberChange[]; // one, or two
  readonly most: number | null; // requests of a sender in a window of the limit, at worst; null: not searched
  readonly found: DecidedLog;
}

export interface LimitSearch {
  readonly from: (number: NumberInFile) => number; // its present value
  readonly base: DecidedLog; // by the present numbers
  /** Decides by these numbers; `base`: a decision by smaller limits. Null: the files cannot be read with them. */
  readonly decide: (values: readonly NumberChange[], base: DecidedLog) => DecidedLog | null;
  readonly isEnough: (result: Refused) => boolean;
  readonly mostWith: (values: readonly NumberChange[]) => number | null;
}

/** Of changes that let equally much through, the first one is smallest. */
const WHATS = ["rate", "time", "burst"] as const;

const UNKNOWN_MOST = Number.MAX_SAFE_INTEGER;

export function findLargerLimits(
  numbers: NumbersOfRule,
  search: LimitSearch,
): readonly LargerLimit[] {
  const alone = WHATS.flatMap((what) => {
    const number = numbers[what];
    if (number === null) return [];
    const least = findLeast(
      { what, number },
      { from: search.from(number), known: null, base: search.base },
      {
        decide: (value, base) => search.decide([{ what, number, value }], base),
        isEnough: search.isEnough,
      },
    );
    return least === null ? [] : limitOf([{ what, number, value: least.value }], least, search);
  }).toSorted((a, b) => (a.most ?? UNKNOWN_MOST) - (b.most ?? UNKNOWN_MOST));
  const both = findBoth(numbers, alone, search);
  return both === null ? alone : [both, ...alone];
}

const limitOf = (
  values: readonly NumberChange[],
  { found }: Pick<FoundValue, "found">,
  { mostWith }: LimitSearch,
): LargerLimit => ({ values, most: mostWith(values), found });

/** Two numbers are changed if they let through at most this part of what the better one of them alone does. */
const WORTH_BOTH = 0.9;
/** The rates that are tried first grow by this factor. */
const STEP = Math.SQRT2;
const MOST_STEPS = 48;

/** A rate and the burst that it needs; null: one of them alone is about as good. */
function findBoth(
  numbers: NumbersOfRule,
  alone: readonly LargerLimit[],
  search: LimitSearch,
): LargerLimit | null {
  const { burst } = numbers;
  const what = numbers.rate === null ? "time" : "rate";
  const number = numbers[what];
  const ofBurst = alone.find(({ values: [only] }) => only!.number === burst);
  const least = alone[0]?.most ?? null;
  if (number === null || burst === null || ofBurst === undefined || least === null) return null;
  const valuesOf = (value: number, ofBursts: number): readonly NumberChange[] => [
    { what, number, value },
    { what: "burst", number: burst, value: ofBursts },
  ];
  const scale = 10 ** number.decimals;
  const tried = new Map<number, LargerLimit | null>(); // by the steps of the rate
  const burstAt = (steps: number): number => tried.get(steps)!.values[1]!.value;
  const start = Math.round(search.from(number) * scale);
  tried.set(start, { ...ofBurst, values: valuesOf(start / scale, ofBurst.values[0]!.value) });
  const order = (a: number, b: number): number => (what === "time" ? b - a : a - b); // of limits
  const tryRate = (steps: number): LargerLimit | null => {
    if (steps < 1 || order(steps, start) < 0) return null;
    const before = tried.get(steps);
    if (before !== undefined) return before;
    const value = steps / scale;
    const known = [...tried].flatMap(([each, limit]) => (limit === null ? [] : each));
    const smaller = known.filter((each) => order(each, steps) < 0).toSorted(order);
    const larger = known.filter((each) => order(each, steps) > 0).toSorted(order);
    const enough = burstAt(smaller.at(-1)!);
    const found = search.decide(valuesOf(value, enough), search.base);
    const needed =
      found === null || !search.isEnough(found)
        ? null
        : findLeast(
            { number: burst, what: "burst" },
            {
              from: larger[0] === undefined ? search.from(burst) : burstAt(larger[0]),
              known: { value: enough, found },
              base: search.base,
            },
            {
              decide: (each, base) => search.decide(valuesOf(value, each), base),
              isEnough: search.isEnough,
            },
          );
    const limit = needed === null ? null : limitOf(valuesOf(value, needed.value), needed, search);
    tried.set(steps, limit);
    return limit;
  };
  const mostAt = (steps: number): number => tryRate(steps)?.most ?? UNKNOWN_MOST;
  let best = start;
  let gap = 0;
  for (let step = 1, last = start; step <= MOST_STEPS; step++) {
    const factor = STEP ** step;
    const next = what === "time" ? Math.floor(start / factor) : Math.ceil(start * factor);
    if (next === last) break;
    // With no larger burst it already lets too much through.
    const atLeast = search.mostWith(valuesOf(next / scale, search.from(burst)));
    if ((atLeast ?? UNKNOWN_MOST) > WORTH_BOTH * least) break;
    if (mostAt(next) < mostAt(best)) [best, gap] = [next, Math.abs(next - last)];
    else if (step === 1) gap = Math.abs(next - start);
    if (tried.get(next) != null && burstAt(next) <= search.from(burst)) break;
    last = next;
  }
  for (; gap >= 1; gap = Math.floor(gap / 2))
    for (const near of [best - gap, best + gap]) if (mostAt(near) < mostAt(best)) best = near;
  const ofBursts = burstAt(best);
  if (best === start || ofBursts <= search.from(burst) || mostAt(best) > WORTH_BOTH * least)
    return null;
  const lower = findLeast(
    { what, number },
    {
      from: search.from(number),
      known: { value: best / scale, found: tried.get(best)!.found },
      base: search.base,
    },
    {
      decide: (value, base) => search.decide(valuesOf(value, ofBursts), base),
      isEnough: search.isEnough,
    },
  )!;
  return limitOf(valuesOf(lower.value, ofBursts), lower, search);
}

const MOST_DOUBLINGS = 24;

/** `base`: a decision by smaller limits. Null: the files cannot be read with this value. */
type DecideValue = (value: number, base: DecidedLog) => DecidedLog | null;

interface FoundValue {
  readonly value: number;
  readonly found: DecidedLog;
}

interface SearchRange {
  readonly from: number; // the value that is not enough; with `known`, it may be enough
  readonly known: FoundValue | null; // one that is enough
  readonly base: DecidedLog; // by smaller limits than any value
}

/** The value that is enough and changes least; null: none is. */
export function findLeast(
  { what, number: { decimals } }: Omit<NumberChange, "value">,
  { from, known, base: before }: SearchRange,
  {
    decide,
    isEnough,
  }: { readonly decide: DecideValue; readonly isEnough: (result: Refused) => boolean },
): FoundValue | null {
  const scale = 10 ** decimals;
  const [start, direction] = [Math.round(from * scale), what === "time" ? -1 : 1];
  const farthest = direction < 0 ? start - 1 : Number.POSITIVE_INFINITY;
  const first = Math.max(1, direction < 0 ? start >> 1 : start);
  let base = before;
  let low = known === null ? 0 : -1; // steps from the start
  let high = known === null ? farthest : direction * (Math.round(known.value * scale) - start);
  let found = known;
  const trySteps = (steps: number): void => {
    const value = (start + direction * steps) / scale;
    const decided = decide(value, base);
    if (decided !== null && isEnough(decided)) {
      high = steps;
      found = { value, found: decided };
      return;
    }
    low = steps;
    base = decided ?? base;
  };
  const canDouble = (): boolean => found === null && low < farthest;
  for (let doublings = 0; canDouble() && doublings < MOST_DOUBLINGS; doublings++)
    trySteps(Math.min(first * 2 ** doublings, farthest));
  const canHalve = (): boolean => found !== null && high - low > 1;
  while (canHalve()) trySteps(Math.floor((low + high) / 2));
  return found;
}

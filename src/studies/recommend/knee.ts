// Finds the knee of a curve: beyond it, a higher rate saves few more requests from refusal. As in Kneedle (Satopaa and
// others, 2011) without smoothing, it is the point furthest below the line between the ends of the curve, over the
// logarithm of the rate, with both axes scaled to 1.
import { ratesUpTo } from "./search.ts";
import type { RefusalCurve } from "./refusals.ts";

export interface CurvePoint {
  readonly rate: number;
  readonly refused: number;
  readonly clients: number;
  readonly badRefused: number;
  readonly badClients: number;
}

/** One point for each rate that every search tries, up to the last rate at which refusals change. */
export function curvePoints(curve: RefusalCurve): readonly CurvePoint[] {
  const wanted = new Set(ratesUpTo(curve.most));
  const points = curve
    .refusalsByRate()
    .filter(({ rate }) => wanted.has(rate))
    .map(({ rate, goodRequests, goodClients, badRequests, badClients }) => ({
      rate,
      refused: goodRequests,
      clients: goodClients,
      badRefused: badRequests,
      badClients,
    }));
  const last = points.at(-1);
  const change = points.findLastIndex(
    ({ refused, badRefused }) => refused !== last?.refused || badRefused !== last.badRefused,
  );
  return points.slice(0, change + 2);
}

/**
 * Returns the knee of a curve. Null: no point is below the line, because each doubling of the rate saves equally many
 * requests; or the highest rate saves none.
 */
export function findKnee(all: readonly CurvePoint[]): CurvePoint | null {
  const change = all.findLastIndex(({ refused }) => refused !== all.at(-1)?.refused);
  const points = all.slice(0, change + 2);
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined || points.length < 3) return null;
  const width = Math.log(last.rate / first.rate);
  const height = first.refused - last.refused;
  if (height <= 0) return null;
  const depthOf = ({ rate, refused }: CurvePoint): number =>
    1 - Math.log(rate / first.rate) / width - (refused - last.refused) / height;
  const deepest = points.reduce((a, b) => (depthOf(b) > depthOf(a) ? b : a));
  return depthOf(deepest) > ROUNDING ? deepest : null;
}

const ROUNDING = 1e-9;

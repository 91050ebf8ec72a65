import { rng } from "../../src/kit/chance/rng.ts";

/** The smallest cost of such a run: random arrivals, a fixed window for each key in typed memory, a count. */
export function runTypedLoop(requests: number, keys: number, ratePerKey: number): number {
  const random = rng(1, "bench/typed-loop");
  const startUs = new Float64Array(keys).fill(Number.NEGATIVE_INFINITY);
  const count = new Uint32Array(keys);
  const perUs = 60_000_000;
  const meanUs = 1_000_000 / (ratePerKey * keys);
  let nowUs = 0;
  let admitted = 0;
  for (let i = 0; i < requests; i++) {
    nowUs += random.exponential() * meanUs;
    const key = random.int(keys);
    if (nowUs >= startUs[key]! + perUs) {
      startUs[key] = nowUs;
      count[key] = 0;
    }
    if (count[key]! < 100) {
      count[key]! += 1;
      admitted++;
    }
  }
  if (admitted === 0) throw new Error("no request was admitted");
  return requests;
}

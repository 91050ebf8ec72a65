// The send times and the keys of an open loop, drawn before anything runs.
import { rng, type Rng } from "../../../kit/chance/rng.ts";
import { SECOND, type Micros } from "../../../kit/units.ts";
import type { LoadModel, Keys } from "../suite.ts";

/** Plans at most `atMost` arrivals: times in microseconds since the beginning, in order. */
export function planArrivals(
  loadModel: Exclude<LoadModel, "closed">,
  perSecond: number,
  lastsUs: Micros,
  seed: number,
  atMost = Number.POSITIVE_INFINITY,
): readonly number[] {
  const gapUs = SECOND / perSecond;
  if (loadModel === "constant")
    return Array.from(
      { length: Math.min(atMost, Math.round(lastsUs / gapUs)) },
      (_, at) => at * gapUs,
    );
  const random = rng(seed, "bench/arrivals");
  const planned: number[] = [];
  for (
    let atUs = gapUs * random.exponential();
    atUs < lastsUs && planned.length < atMost;
    atUs += gapUs * random.exponential()
  )
    planned.push(atUs);
  return planned;
}

/** Returns a function that returns the key number of the next arrival. */
export function keysInTurn(keys: Keys, keyCount: number, seed: number): () => number {
  switch (keys) {
    case "one":
      return () => 0;
    case "many": {
      let next = 0;
      return () => next++ % keyCount;
    }
    case "zipf":
      return zipf(keyCount, rng(seed, "bench/keys"));
  }
}

const MOST_DRAWN = 16_384; // keys of all connections together, because each request is built before the run

/** The keys that each connection of a closed loop repeats. With the keys `many`, each key belongs to one connection. */
export function keysOfConnections(
  keys: Keys,
  keyCount: number,
  connections: number,
  seed: number,
): readonly (readonly number[])[] {
  const each = Math.ceil((keys === "zipf" ? MOST_DRAWN : keyCount) / connections);
  const draw = keysInTurn(keys, keyCount, seed);
  return Array.from({ length: connections }, (_, connection) => {
    if (keys === "one") return [0];
    if (keys === "zipf") return Array.from({ length: each }, draw);
    const share: number[] = [];
    for (let key = connection % keyCount; key < keyCount; key += connections) share.push(key);
    return share;
  });
}

/** A Zipf distribution with exponent 1: the second key is half as frequent as the first, the third a third. */
function zipf(keyCount: number, random: Rng): () => number {
  const until = new Float64Array(keyCount);
  let sum = 0;
  for (let at = 0; at < keyCount; at++) until[at] = sum += 1 / (at + 1);
  return () => {
    const drawn = random.next() * sum;
    let low = 0;
    let high = keyCount - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (until[middle]! > drawn) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

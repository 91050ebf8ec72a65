// Generates patterns that are likely to be the worst: bursts around the end of a window, single requests at refills,
// and pairs of bursts, the second of which is sent just before the limit has counted the first.
import type { Rng } from "../../kit/chance/rng.ts";
import type { Materials } from "./materials.ts";
import { patternOf, type Burst, type ArrivalPattern } from "./pattern.ts";

/** The sender of a burst: one client; or `each`, so that each client sends a burst of the same size. */
type From = number | "each";

/** Yields the first pattern of each generator, then the second of each, because the search may stop early. */
export function* generatePatterns(materials: Materials): Generator<ArrivalPattern> {
  let generators = [
    singleBursts,
    requestTrains,
    burstsAroundWindowEnd,
    burstPairs,
    burstsBetweenClocks,
  ].map((generate) => generate(materials));
  while (generators.length > 0) {
    const results = generators.map((generator) => generator.next());
    for (const { done, value } of results) if (done !== true) yield value;
    generators = generators.filter((_, index) => results[index]!.done !== true);
  }
}

const sendersOf = ({ clients }: Materials): readonly From[] =>
  clients.length === 1 ? clients : ["each", ...clients];

const burst = ({ clients }: Materials, atUs: number, count: number, from: From): readonly Burst[] =>
  (from === "each" ? clients : [from]).map((client) => ({ atUs, count, client }));

function* singleBursts(materials: Materials): Generator<ArrivalPattern> {
  for (const from of sendersOf(materials))
    for (const startUs of materials.startsUs)
      for (const size of materials.sizes) yield patternOf(burst(materials, startUs, size, from));
}

/** A request opens a window, one burst arrives in its last microsecond, and another right after its end. */
function* burstsAroundWindowEnd(materials: Materials): Generator<ArrivalPattern> {
  const { perUs, startsUs, sizes } = materials;
  for (const from of sendersOf(materials))
    for (const startUs of startsUs)
      for (const opener of sizes)
        for (const late of sizes)
          for (const early of sizes)
            yield patternOf([
              ...burst(materials, startUs, opener, from),
              ...burst(materials, startUs + perUs - 1, late, from),
              ...burst(materials, startUs + perUs, early, from),
            ]);
}

/**
 * Uses gateways with different clocks. One whose clock is ahead opens a window, and one whose clock lags ends it late.
 * Bursts right before and after that end spend this window and the next; a third burst spends the third too early.
 */
function* burstsBetweenClocks(materials: Materials): Generator<ArrivalPattern> {
  const { perUs, startsUs, apartUs, full } = materials;
  if (apartUs.length === 0) return;
  const senders = sendersOf(materials);
  const startUs = startsUs[0]!;
  const sooner = [...apartUs.map((us) => perUs - us), perUs - 1];
  const later = [...apartUs.map((us) => perUs + us), perUs];
  for (const endUs of later)
    for (const lastUs of sooner)
      for (const opener of [null, ...senders])
        for (const late of senders)
          for (const early of senders)
            yield patternOf([
              ...(opener === null ? [] : burst(materials, startUs, 1, opener)),
              ...burst(materials, startUs + endUs - 1, full, late),
              ...burst(materials, startUs + endUs, full, late),
              ...burst(materials, startUs + endUs + lastUs, full, early),
            ]);
}

function* burstPairs(materials: Materials): Generator<ArrivalPattern> {
  const { startsUs, gapsUs, sizes } = materials;
  const senders = sendersOf(materials);
  for (const startUs of startsUs)
    for (const gapUs of gapsUs)
      for (const first of senders)
        for (const second of senders)
          for (const firstSize of sizes)
            for (const secondSize of sizes)
              yield patternOf([
                ...burst(materials, startUs, firstSize, first),
                ...burst(materials, startUs + gapUs, secondSize, second),
              ]);
}

/** Single requests, each at a refill or after a response: alone, after a burst, before a burst. */
function* requestTrains(materials: Materials): Generator<ArrivalPattern> {
  const { startsUs, spacingsUs, sizes } = materials;
  for (const from of sendersOf(materials))
    for (const startUs of startsUs)
      for (const everyUs of spacingsUs)
        for (const length of sizes) {
          const train = Array.from({ length }, (_, i) =>
            burst(materials, startUs + i * everyUs, 1, from),
          ).flat();
          yield patternOf(train);
          for (const size of sizes) {
            yield patternOf([...burst(materials, startUs - everyUs, size, from), ...train]);
            yield patternOf([
              ...train,
              ...burst(materials, startUs + length * everyUs, size, from),
            ]);
          }
        }
}

/** A random pattern of the same materials. */
export function randomPattern(materials: Materials, random: Rng): ArrivalPattern {
  const { startsUs, gapsUs, sizes } = materials;
  const senders = sendersOf(materials);
  const bursts: Burst[] = [];
  let atUs = pick(startsUs, random);
  for (let left = 3 + random.int(3); left > 0; left--) {
    bursts.push(...burst(materials, atUs, pick(sizes, random), pick(senders, random)));
    atUs += pick(gapsUs, random);
  }
  return patternOf(bursts);
}

export const pick = <T>(values: readonly T[], random: Rng): T => values[random.int(values.length)]!;

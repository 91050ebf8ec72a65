// Patterns that are likely to be the worst: bursts at edges and around them, one more whenever there is one
// more, and many together just before the limit would have noticed.
import type { Rng } from "../../chance/rng.ts";
import type { Materials } from "./materials.ts";
import { inOrder, type Burst, type Pattern } from "./pattern.ts";

/** From one client, or as many from each. */
type From = number | "each";

/** One of each kind in turn, because it may end before it has come to the end. */
export function* structured(materials: Materials): Generator<Pattern> {
  let kinds = [together, spaced, aroundAnEnd, pairs, betweenClocks].map((kind) => kind(materials));
  while (kinds.length > 0) {
    const found = kinds.map((kind) => kind.next());
    for (const { done, value } of found) if (done !== true) yield value;
    kinds = kinds.filter((_, index) => found[index]!.done !== true);
  }
}

const sendersOf = ({ clients }: Materials): readonly From[] =>
  clients.length === 1 ? clients : ["each", ...clients];

const burst = ({ clients }: Materials, atUs: number, count: number, from: From): readonly Burst[] =>
  (from === "each" ? clients : [from]).map((client) => ({ atUs, count, client }));

function* together(materials: Materials): Generator<Pattern> {
  for (const from of sendersOf(materials))
    for (const startUs of materials.startsUs)
      for (const size of materials.sizes) yield inOrder(burst(materials, startUs, size, from));
}

/** Something opens a window; much comes in its last moment, and as much when it has just ended. */
function* aroundAnEnd(materials: Materials): Generator<Pattern> {
  const { perUs, startsUs, sizes } = materials;
  for (const from of sendersOf(materials))
    for (const startUs of startsUs)
      for (const opener of sizes)
        for (const late of sizes)
          for (const early of sizes)
            yield inOrder([
              ...burst(materials, startUs, opener, from),
              ...burst(materials, startUs + perUs - 1, late, from),
              ...burst(materials, startUs + perUs, early, from),
            ]);
}

/**
 * Who is ahead opens a window and so another ends it late: it is spent then, and the next one at once, and by
 * who is ahead the one after that early.
 */
function* betweenClocks(materials: Materials): Generator<Pattern> {
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
            yield inOrder([
              ...(opener === null ? [] : burst(materials, startUs, 1, opener)),
              ...burst(materials, startUs + endUs - 1, full, late),
              ...burst(materials, startUs + endUs, full, late),
              ...burst(materials, startUs + endUs + lastUs, full, early),
            ]);
}

function* pairs(materials: Materials): Generator<Pattern> {
  const { startsUs, gapsUs, sizes } = materials;
  const senders = sendersOf(materials);
  for (const startUs of startsUs)
    for (const gapUs of gapsUs)
      for (const first of senders)
        for (const second of senders)
          for (const one of sizes)
            for (const other of sizes)
              yield inOrder([
                ...burst(materials, startUs, one, first),
                ...burst(materials, startUs + gapUs, other, second),
              ]);
}

/** Single requests, as one more is paid back or as one is answered: alone, behind a burst, before one. */
function* spaced(materials: Materials): Generator<Pattern> {
  const { startsUs, spacingsUs, sizes } = materials;
  for (const from of sendersOf(materials))
    for (const startUs of startsUs)
      for (const everyUs of spacingsUs)
        for (const length of sizes) {
          const train = Array.from({ length }, (_, i) =>
            burst(materials, startUs + i * everyUs, 1, from),
          ).flat();
          yield inOrder(train);
          for (const size of sizes) {
            yield inOrder([...burst(materials, startUs - everyUs, size, from), ...train]);
            yield inOrder([...train, ...burst(materials, startUs + length * everyUs, size, from)]);
          }
        }
}

/** Of the same materials, by chance. */
export function drawn(materials: Materials, random: Rng): Pattern {
  const { startsUs, gapsUs, sizes } = materials;
  const senders = sendersOf(materials);
  const bursts: Burst[] = [];
  let atUs = oneOf(startsUs, random);
  for (let left = 3 + random.int(3); left > 0; left--) {
    bursts.push(...burst(materials, atUs, oneOf(sizes, random), oneOf(senders, random)));
    atUs += oneOf(gapsUs, random);
  }
  return inOrder(bursts);
}

export const oneOf = <T>(values: readonly T[], random: Rng): T =>
  values[random.int(values.length)]!;

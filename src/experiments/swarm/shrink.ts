// Makes a failing scenario small where a generator cannot: whatever it fails without is taken out.
import { plan } from "../../scenario/plan/plan.ts";
import type { Json } from "../../reading/shape.ts";
import type { RawObject } from "./arbitrary/worlds.ts";
import { duration, type RawScenario } from "./as-scenario.ts";
import { variantOf } from "./trial.ts";

type Fails<T> = (less: T) => boolean;

export const requestsOf = (text: string, seed: number): number =>
  plan(variantOf(text), "", seed).atUs.length;

const KEPT = ["name", "as", "send", "headers", "behaviour"];

/** Every flow with the times at which it sends, so that single requests can be taken out. */
export function withTimes(raw: RawScenario, text: string, seed: number): RawScenario {
  const { flows, flow, atUs } = plan(variantOf(text), "", seed);
  const traffic = raw.traffic.flatMap((own, index): RawObject[] => {
    const times = [...atUs].filter((_, at) => flows[flow[at]!]!.name === flows[index]!.name);
    if (times.length === 0) return [];
    const kept = Object.entries(own).filter(([name]) => KEPT.includes(name));
    return [{ ...Object.fromEntries(kept), trace: { times: times.map(duration) } }];
  });
  return { ...raw, traffic };
}

/** Again and again, because what could not be left out at first may be needless in the end. */
export function withoutNeedless(raw: RawScenario, fails: Fails<RawScenario>): RawScenario {
  let least = raw;
  for (;;) {
    const before = least;
    // Requests first: with fewer of them everything else is tried faster.
    for (const part of ["traffic", "faults", "around", "world"] as const) {
      const rest = least;
      const withPart = (less: Json): RawScenario => ({ ...rest, [part]: less });
      least = withPart(
        leastOf(rest[part] as unknown as Json, (less) => fails(withPart(less)), part !== "world"),
      );
    }
    if (JSON.stringify(least) === JSON.stringify(before)) return least;
  }
}

/** The value with as little in it as fails still. `isLoose`: its own members may go too. */
function leastOf(value: Json, fails: Fails<Json>, isLoose = true): Json {
  if (Array.isArray(value)) return leastList(value as readonly Json[], fails);
  if (typeof value !== "object" || value === null) return value;
  let members = value as RawObject;
  for (const name of Object.keys(members)) {
    const { [name]: own, ...rest } = members;
    if (isLoose && fails(rest)) {
      members = rest;
      continue;
    }
    const others = members;
    const withOwn = (less: Json): RawObject => ({ ...others, [name]: less });
    members = withOwn(leastOf(own!, (less) => fails(withOwn(less))));
  }
  return members;
}

/** Halves first, then smaller pieces, then what is within the items. */
function leastList(value: readonly Json[], fails: Fails<Json>): Json {
  let items = value;
  for (
    let size = Math.ceil(items.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  )
    for (let from = 0; from < items.length;) {
      const less = items.toSpliced(from, size);
      if (fails(less)) items = less;
      else from += size;
    }
  for (const index of items.keys())
    items = items.with(
      index,
      leastOf(items[index]!, (less) => fails(items.with(index, less))),
    );
  return items;
}

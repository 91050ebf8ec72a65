// Reduces a failing scenario further than a generator can: removes everything that the failure does not need.
import { plan } from "../../scenario/plan/plan.ts";
import type { Json } from "../../reading/shape.ts";
import type { RawObject } from "./arbitrary/worlds.ts";
import { duration, type RawScenario } from "./as-scenario.ts";
import { variantOf } from "./trial.ts";

type Fails<T> = (less: T) => boolean;

export const requestsOf = (text: string, seed: number): number =>
  plan(variantOf(text), "", seed).atUs.length;

const FLOW_FIELDS = ["name", "as", "send", "headers", "behaviour"];

/** Every flow with the times of its requests, so that single requests can be removed. */
export function withTimes(raw: RawScenario, text: string, seed: number): RawScenario {
  const { flows, flow, atUs } = plan(variantOf(text), "", seed);
  const traffic = raw.traffic.flatMap((own, index): RawObject[] => {
    const times = [...atUs].filter((_, at) => flows[flow[at]!]!.name === flows[index]!.name);
    if (times.length === 0) return [];
    const fields = Object.entries(own).filter(([name]) => FLOW_FIELDS.includes(name));
    return [{ ...Object.fromEntries(fields), trace: { times: times.map(duration) } }];
  });
  return { ...raw, traffic };
}

/** Repeats until nothing changes, because a part that was needed at first may be needless in the end. */
export function withoutNeedless(raw: RawScenario, fails: Fails<RawScenario>): RawScenario {
  let least = raw;
  for (;;) {
    const before = least;
    // Requests first: with fewer of them every further attempt is faster.
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

/** The smallest value that still fails. `isLoose`: its own fields may be removed too. */
function leastOf(value: Json, fails: Fails<Json>, isLoose = true): Json {
  if (Array.isArray(value)) return leastList(value as readonly Json[], fails);
  if (typeof value !== "object" || value === null) return value;
  let fields = value as RawObject;
  for (const name of Object.keys(fields)) {
    const { [name]: own, ...rest } = fields;
    if (isLoose && fails(rest)) {
      fields = rest;
      continue;
    }
    const others = fields;
    const withOwn = (less: Json): RawObject => ({ ...others, [name]: less });
    fields = withOwn(leastOf(own!, (less) => fails(withOwn(less))));
  }
  return fields;
}

/** Removes halves first, then smaller pieces, then parts of the items. */
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

// Reduces a failing scenario further than a generator can: removes everything that the failure does not need.
import { plan } from "../../lab/scenario/plan/plan.ts";
import type { Variant } from "../../lab/scenario/types.ts";
import type { Json } from "../../kit/reading/shape.ts";
import { isCall } from "../../lab/scenario/read/calls.ts";
import { FLOW_FIELDS } from "../../lab/scenario/read/traffic.ts";
import type { RawObject } from "./arbitrary/worlds.ts";
import { duration, type RawScenario } from "./as-scenario.ts";

type Fails<T> = (less: T) => boolean;

export const requestsOf = (variant: Variant, seed: number): number =>
  plan(variant, "", seed).atUs.length;

const UNTIMED_FIELDS = Object.keys(FLOW_FIELDS).filter((name) => name !== "at");

/** Gives each flow the times of its requests, so that single requests can be removed. Calls remain as they are. */
export function withTimes(raw: RawScenario, variant: Variant, seed: number): RawScenario {
  const { flows, flow, atUs } = plan(variant, "", seed);
  const traffic = raw.traffic.flatMap((own, index): RawObject[] => {
    if (isCall(own)) return [own];
    const times = [...atUs].filter((_, at) => flows[flow[at]!]!.item === index);
    if (times.length === 0) return [];
    const fields = Object.entries(own).filter(([name]) => UNTIMED_FIELDS.includes(name));
    return [{ ...Object.fromEntries(fields), trace: { times: times.map(duration) } }];
  });
  return { ...raw, traffic };
}

/** Removes all needless parts, repeatedly, because a part may become needless after others were removed. */
export function withoutNeedless(raw: RawScenario, fails: Fails<RawScenario>): RawScenario {
  const attempts = reductionsOf(raw);
  let next = attempts.next();
  while (next.done !== true) next = attempts.next(fails(next.value));
  return next.value;
}

/** Does the same as `withoutNeedless`, with an asynchronous `fails`. */
export async function reduceScenario(
  raw: RawScenario,
  fails: (less: RawScenario) => Promise<boolean>,
): Promise<RawScenario> {
  const attempts = reductionsOf(raw);
  let next = attempts.next();
  while (next.done !== true) next = attempts.next(await fails(next.value));
  return next.value;
}

/** Yields attempts, and receives whether each still fails. Returns the smallest failing scenario. */
function* reductionsOf(raw: RawScenario): Reductions<RawScenario> {
  let least = raw;
  for (;;) {
    const before = least;
    // Requests are removed first, because every attempt with fewer requests is faster.
    for (const part of ["traffic", "faults", "around", "world"] as const) {
      const rest = least;
      const withPart = (less: Json): RawScenario => ({ ...rest, [part]: less });
      least = withPart(yield* leastOf(rest[part] as unknown as Json, withPart, part !== "world"));
    }
    if (JSON.stringify(least) === JSON.stringify(before)) return least;
  }
}

type Reductions<T> = Generator<RawScenario, T, boolean>;
type Place = (less: Json) => RawScenario;

/** Reduces a value while the scenario still fails. `isLoose`: the fields of the value may be removed too. */
function* leastOf(value: Json, place: Place, isLoose = true): Reductions<Json> {
  if (Array.isArray(value)) return yield* leastList(value as readonly Json[], place);
  if (typeof value !== "object" || value === null) return value;
  let fields = value as RawObject;
  for (const name of Object.keys(fields)) {
    const { [name]: own, ...rest } = fields;
    if (isLoose && (yield place(rest))) {
      fields = rest;
      continue;
    }
    const others = fields;
    const withOwn = (less: Json): RawObject => ({ ...others, [name]: less });
    fields = withOwn(yield* leastOf(own!, (less) => place(withOwn(less))));
  }
  return fields;
}

/** Removes halves of a list, then smaller pieces, then parts of its items. */
function* leastList(value: readonly Json[], place: Place): Reductions<Json> {
  let items = value;
  for (
    let size = Math.ceil(items.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  )
    for (let from = 0; from < items.length;) {
      const less = items.toSpliced(from, size);
      if (yield place(less)) items = less;
      else from += size;
    }
  for (const index of items.keys()) {
    const rest = items;
    items = items.with(
      index,
      yield* leastOf(items[index]!, (less) => place(rest.with(index, less))),
    );
  }
  return items;
}

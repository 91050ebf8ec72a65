// A limit that changes during a run: a management call, inserted into the text of a scenario.
import type { Configuration } from "../../limiter/core/config.ts";
import { isJsonMap, type Json, type JsonMap } from "../../kit/reading/shape.ts";
import type { Scenario } from "../../lab/scenario/types.ts";
import { withItem, type TextChange } from "./with-fault.ts";

/** A limit that one call can change. */
export interface ChangeableLimit {
  readonly name: string; // such as "policy gold"
  readonly call: string; // method and path as in a scenario
  readonly rate: number; // rate before the change
  /** Other fields of `global_rate_limit`, which a call replaces as a whole; null if the record has the rate. */
  readonly global: JsonMap | null;
}

/** The maximum number of limits in the list: a longer list would not help readers. */
const MOST_SHOWN = 100;

/** The limits of all variants, each once: first those of policies and APIs, which apply to many keys. */
export function changeableLimits({
  variants,
}: Pick<Scenario, "variants">): readonly ChangeableLimit[] {
  const found = new Map<string, ChangeableLimit>();
  const add = (kind: string, id: string, path: string, limit: FoundLimit | null): void => {
    const name = `${kind} ${id}`;
    const call = `PUT ${path}/${encodeURIComponent(id)}`;
    if (limit !== null && !found.has(name)) found.set(name, { name, call, ...limit });
  };
  const worlds = new Map(
    variants.flatMap(({ world: { configuration, raw } }) =>
      configuration === null ? [] : [[configuration, raw] as const],
    ),
  );
  for (const { policies } of worlds.keys())
    for (const { id, limit } of policies.values())
      add("policy", id, "api/portal/policies", limit && { rate: limit.rate, global: null });
  for (const [{ apis }, raw] of worlds)
    for (const { id, limit } of limitsOfApis(apis, raw["apis"])) add("API", id, "api/apis", limit);
  for (const { keys } of worlds.keys())
    for (const { id, limit } of keys.values())
      add("key", id, "admin/org/keys", limit && { rate: limit.rate, global: null });
  return [...found.values()].slice(0, MOST_SHOWN);
}

type FoundLimit = Pick<ChangeableLimit, "rate" | "global">;

interface LimitOfApi {
  readonly id: string;
  readonly limit: FoundLimit;
}

/** Limits of APIs, whose documents have the same order. Omits pasted Tyk documents, which a call has to repeat. */
function limitsOfApis(apis: Configuration["apis"], raw: Json | undefined): readonly LimitOfApi[] {
  const documents = raw === undefined || !isJsonMap(raw) ? [] : Object.values(raw);
  return [...apis.values()].flatMap(({ id, globalRateLimit }, index): readonly LimitOfApi[] => {
    const document = documents[index];
    if (globalRateLimit === null || document === undefined || !isJsonMap(document)) return [];
    const { rate } = globalRateLimit;
    const global = document["global_rate_limit"];
    if (global !== undefined && isJsonMap(global)) return [{ id, limit: { rate, global } }];
    return Object.hasOwn(document, "rate") ? [{ id, limit: { rate, global: null } }] : [];
  });
}

/** Inserts the call, with a name that no other part of the traffic has. */
export function withLimit(
  text: string,
  atSeconds: number,
  { call, global }: ChangeableLimit,
  rate: number,
): TextChange {
  let count = 1;
  while (text.includes(`name: change ${count},`)) count += 1;
  const written = /^[\w %./~-]+$/.test(call) ? call : JSON.stringify(call);
  const body =
    global === null
      ? `{ rate: ${rate} }`
      : `{ global_rate_limit: ${JSON.stringify({ ...global, rate })} }`;
  const item = `{ at: ${atSeconds}s, name: change ${count}, call: ${written}, body: ${body} }`;
  return withItem(text, "traffic", item);
}

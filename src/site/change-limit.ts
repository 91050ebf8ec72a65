// A limit that changes during a run: a call of a management API as a change of a scenario's text.
import type { Scenario } from "../scenario/types.ts";
import { withItem, type TextChange } from "./with-fault.ts";

/** A limit that one call changes. */
export interface ChangeableLimit {
  readonly name: string; // "policy gold"
  readonly call: string; // method and path, as a scenario has them
  readonly rate: number; // before
}

/** More are no choice. */
const MOST_SHOWN = 100;

/** Of all variants, each once: those of policies first, because they apply to many keys. */
export function changeableLimits({
  variants,
}: Pick<Scenario, "variants">): readonly ChangeableLimit[] {
  const found = new Map<string, ChangeableLimit>();
  const add = (kind: string, id: string, path: string, rate: number | undefined): void => {
    const name = `${kind} ${id}`;
    const call = `PUT ${path}/${encodeURIComponent(id)}`;
    if (rate !== undefined && !found.has(name)) found.set(name, { name, call, rate });
  };
  const configurations = new Set(
    variants.flatMap(({ world: { configuration } }) => configuration ?? []),
  );
  for (const { policies } of configurations)
    for (const { id, limit } of policies.values())
      add("policy", id, "api/portal/policies", limit?.rate);
  for (const { keys } of configurations)
    for (const { id, limit } of keys.values()) add("key", id, "admin/org/keys", limit?.rate);
  return [...found.values()].slice(0, MOST_SHOWN);
}

/** Every part of the traffic has a name of its own. */
export function withLimit(
  text: string,
  atSeconds: number,
  { call }: ChangeableLimit,
  rate: number,
): TextChange {
  let count = 1;
  while (text.includes(`name: change ${count},`)) count += 1;
  const written = /^[\w %./~-]+$/.test(call) ? call : JSON.stringify(call);
  const item = `{ at: ${atSeconds}s, name: change ${count}, call: ${written}, body: { rate: ${rate} } }`;
  return withItem(text, "traffic", item);
}

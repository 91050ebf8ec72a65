// What is configured after each call that was granted: by what the call says, and not by what a gateway made of it.
import type { Micros } from "../core/units.ts";
import type { CallMade } from "./history.ts";
import { isMembers, type Members, type Json } from "../reading/shape.ts";
import type { Call } from "./types.ts";
import type { World } from "./world.ts";

/** A call as whoever reads about its change knows it. */
export interface ChangingCall {
  readonly name: string;
  readonly method: string;
  readonly path: string; // with the interface's base
}

export interface Change {
  readonly atUs: Micros;
  readonly gateway: number; // that took the call
  readonly call: ChangingCall;
  readonly raw: Members; // what is configured from then on
}

/** A change of something else, such as a user, is none here. */
export function changesBy(
  calls: readonly Call[],
  made: readonly CallMade[],
  { raw, management }: World,
): readonly Change[] {
  const changes: Change[] = [];
  let written: Members = raw;
  for (const answer of made) {
    const call = calls.find(({ name }) => name === answer.call);
    const next = call === undefined || answer.status >= 300 ? null : after(written, call, answer);
    if (next === null) continue;
    written = next;
    const { on, method, path } = answer;
    changes.push({
      atUs: answer.answeredUs,
      gateway: answer.gateway,
      call: { name: answer.call, method, path: `${management.bases[on]}${path}` },
      raw: written,
    });
  }
  return changes;
}

interface Family {
  readonly name: "keys" | "policies" | "apis";
  readonly path: string;
  /** Which record is meant, where it does not go by its name in the file. */
  readonly ids: readonly string[];
}

const FAMILIES: readonly Family[] = [
  { name: "keys", path: "/admin/org/keys", ids: ["key_id"] },
  { name: "policies", path: "/api/portal/policies", ids: ["id", "_id"] },
  { name: "apis", path: "/api/apis", ids: ["api_id"] },
];

/** Null: nothing that gateways obey. */
function after(written: Members, { method, path, body }: Call, answer: CallMade): Members | null {
  const family = FAMILIES.find((each) => path === each.path || path.startsWith(`${each.path}/`));
  if (family === undefined) return null;
  const records = membersOf(written[family.name]);
  const said = membersOf(body === null ? undefined : (JSON.parse(body) as Json));
  const id = decodeURIComponent(path.slice(family.path.length + 1));
  const name = Object.keys(records).find((each) => idOf(family, each, records) === id);
  const next = new Map(Object.entries(records));
  if (method === "POST" && id === "") next.set(nameOf(family, said, answer), said);
  else if (name === undefined) return null;
  else if (method === "PUT") next.set(name, changed(membersOf(records[name]), said));
  else if (method === "DELETE") next.delete(name);
  else return null;
  return { ...written, [family.name]: Object.fromEntries(next) };
}

const membersOf = (value: Json | undefined): Members =>
  value !== undefined && isMembers(value) ? value : {};

function idOf({ ids }: Family, name: string, records: Members): string {
  const record = membersOf(records[name]);
  const said = ids.map((member) => record[member]).find((id) => typeof id === "string");
  return typeof said === "string" ? said : name;
}

/** In a file a key goes by what it shows, and that is told once, when it is made. */
function nameOf({ ids }: Family, said: Members, { body }: CallMade): string {
  const told = membersOf(body);
  const own = ["key", "Meta", "Message"].map((member) => told[member]);
  const id = [...own, ...ids.map((member) => said[member])].find(
    (each) => typeof each === "string",
  );
  return typeof id === "string" ? id : "";
}

/** What is left out stays, and null takes away (MGT-C5). The short `apis` of a file is access rights. */
function changed(record: Members, said: Members): Members {
  const next = new Map(Object.entries(record));
  if (Object.hasOwn(said, "access_rights")) next.delete("apis");
  for (const [name, value] of Object.entries(said))
    if (value === null) next.delete(name);
    else next.set(name, value);
  return Object.fromEntries(next);
}

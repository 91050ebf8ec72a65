// The configuration after each admitted call, derived from the call's request, not from what a gateway did with it.
import type { Micros } from "../../kit/units.ts";
import { hasSucceeded, type HistoryCall } from "./history.ts";
import { isJsonMap, type JsonMap, type Json } from "../../kit/reading/shape.ts";
import type { ManagementCall } from "./types.ts";
import type { World } from "./world.ts";

/** A call, as named in a report about its change. */
export interface ChangingCall {
  readonly name: string;
  readonly method: string;
  readonly path: string; // including the base path of its management API
}

interface ConfigurationChange {
  readonly atUs: Micros;
  readonly gateway: number; // gateway that received the call
  readonly call: ChangingCall;
  readonly raw: JsonMap; // the configuration after the change
}

/** Changes of the configuration. Calls that change something else, such as a user, are left out. */
export function changesBy(
  calls: readonly ManagementCall[],
  responses: readonly HistoryCall[],
  { raw, management }: World,
): readonly ConfigurationChange[] {
  const changes: ConfigurationChange[] = [];
  let written: JsonMap = raw;
  for (const answer of responses) {
    const call = calls.find(({ name }) => name === answer.call);
    const next =
      call === undefined || !hasSucceeded(answer) ? null : applyCall(written, call, answer);
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

interface ConfiguredRecordType {
  readonly name: "keys" | "policies" | "apis";
  readonly path: string;
  /** The fields that contain the id, in responses and in records. A scenario may name a record by another name. */
  readonly ids: readonly string[];
}

const RECORD_TYPES: readonly ConfiguredRecordType[] = [
  { name: "keys", path: "/admin/org/keys", ids: ["key_id"] },
  { name: "policies", path: "/api/portal/policies", ids: ["id", "_id"] },
  { name: "apis", path: "/api/apis", ids: ["api_id"] },
];

/** The configuration after the call; null if the call changes nothing that gateways enforce. */
function applyCall(
  written: JsonMap,
  { method, path, body }: ManagementCall,
  answer: HistoryCall,
): JsonMap | null {
  const family = RECORD_TYPES.find(
    (each) => path === each.path || path.startsWith(`${each.path}/`),
  );
  if (family === undefined) return null;
  const records = membersOf(written[family.name]);
  const fields = membersOf(body === null ? undefined : (JSON.parse(body) as Json));
  const id = decodeURIComponent(path.slice(family.path.length + 1));
  const name = Object.keys(records).find((each) => idOf(family, each, records) === id);
  const next = new Map(Object.entries(records));
  if (method === "POST" && id === "") next.set(nameOf(family, fields, answer), fields);
  else if (name === undefined) return null;
  else if (method === "PUT") next.set(name, mergeFields(membersOf(records[name]), fields));
  else if (method === "DELETE") next.delete(name);
  else return null;
  return { ...written, [family.name]: Object.fromEntries(next) };
}

const membersOf = (value: Json | undefined): JsonMap =>
  value !== undefined && isJsonMap(value) ? value : {};

function idOf({ ids }: ConfiguredRecordType, name: string, records: JsonMap): string {
  const record = membersOf(records[name]);
  const value = ids.map((member) => record[member]).find((id) => typeof id === "string");
  return typeof value === "string" ? value : name;
}

/** The name of a created record. A key is named by its secret, which only the response that creates it contains. */
function nameOf({ ids }: ConfiguredRecordType, fields: JsonMap, { body }: HistoryCall): string {
  const response = membersOf(body);
  const shownIds = ["key", "Meta", "Message"].map((member) => response[member]);
  const id = [...shownIds, ...ids.map((member) => fields[member])].find(
    (each) => typeof each === "string",
  );
  return typeof id === "string" ? id : "";
}

/** A field that the update lacks stays, and null removes a field (MGT-C5). `access_rights` replaces `apis`. */
function mergeFields(record: JsonMap, fields: JsonMap): JsonMap {
  const next = new Map(Object.entries(record));
  if (Object.hasOwn(fields, "access_rights")) next.delete("apis");
  for (const [name, value] of Object.entries(fields))
    if (value === null) next.delete(name);
    else next.set(name, value);
  return Object.fromEntries(next);
}

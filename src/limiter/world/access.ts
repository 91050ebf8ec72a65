// Reads what a policy or a key grants: `access_rights`, or the short `apis` (LIM-6, EPT-C5).
import type { AccessRight } from "../core/config.ts";
import { warningAt, type Path } from "../../kit/reading/problems.ts";
import { readAccessEndpoints } from "./endpoints.ts";
import { checkAllowance, readLimit } from "./limit.ts";
import { readQuota, readThrottle } from "./allotment.ts";
import { ACCESS_LIMIT, ACCESS_RIGHT, UNENFORCED_ACCESS } from "./members.ts";
import {
  at,
  has,
  isObject,
  member,
  note,
  noteAt,
  open,
  openMember,
  show,
  type PlacedObject,
} from "./place.ts";
import type { ReadContext } from "./references.ts";
import { listUnenforced } from "./unenforced.ts";
import { textsIn } from "./values.ts";

interface AccessRules {
  /** False if the access rights of policies replace the key's own (LIM-C5). */
  readonly acting: boolean;
  /** What `quota_max: -1` means: "kept", an unlimited quota for a merge; "off", no quota. */
  readonly unlimited: "kept" | "off";
}

const NO_LIMITS = { limit: null, quota: null, throttle: null, endpoints: [] } as const;

/** `access_rights`, or the short `apis: [names]`, which grants without limits. Null if neither is present. */
export function readAccess(
  place: PlacedObject,
  known: ReadContext,
  rules: AccessRules,
): ReadonlyMap<string, AccessRight> | null {
  if (has(place, "apis") && has(place, "access_rights")) {
    const message = "apis and access_rights are both present";
    noteAt(place, "apis", "CFG-CONFLICT", message, "keep one of them");
  }
  if (has(place, "access_rights")) return readAccessRights(place, known, rules);
  if (!has(place, "apis")) return null;
  const rights = new Map<string, AccessRight>();
  for (const { text, index } of textsIn(place, "apis")) {
    const id = apiIn(place, known, text, [...at(place, "apis"), index]);
    if (id !== null) rights.set(id, { ...NO_LIMITS, unenforced: [] });
  }
  return rights;
}

function readAccessRights(
  place: PlacedObject,
  known: ReadContext,
  rules: AccessRules,
): ReadonlyMap<string, AccessRight> {
  const rights = new Map<string, AccessRight>();
  const all = member(place, "access_rights");
  if (!isObject(all)) {
    noteAt(place, "access_rights", "CFG-TYPE", `access_rights must be an object; got ${show(all)}`);
    return rights;
  }
  for (const [name, raw] of Object.entries(all)) {
    const path = [...at(place, "access_rights"), name];
    const id = apiIn(place, known, name, path);
    // `{}` and null grant access without an own limit.
    const right = open(raw ?? {}, path, place.findings, ACCESS_RIGHT);
    if (right === null) continue;
    const read = readAccessRight(right, known, rules);
    if (id === null) continue;
    if (rights.has(id)) {
      const message = `API ${show(id)} has two access rights`;
      note(place.findings.problems, "CFG-CONFLICT", path, message, "keep one of them");
    }
    rights.set(id, read);
  }
  return rights;
}

function apiIn(place: PlacedObject, known: ReadContext, name: string, path: Path): string | null {
  const id = known.apis.find(name);
  if (id !== null) return id;
  const { question, fix } = known.apis.suggest(name);
  const message = `there is no API ${show(name)}${question}`;
  if (known.apis.keepsDangling !== true) {
    note(place.findings.problems, "CFG-UNKNOWN-API", path, message, fix);
    return null;
  }
  place.findings.problems.push(warningAt("CFG-UNKNOWN-API", path, message, fix));
  return name;
}

function readAccessRight(right: PlacedObject, known: ReadContext, rules: AccessRules): AccessRight {
  const unenforced = listUnenforced(right, UNENFORCED_ACCESS, rules.acting);
  const place = openMember(right, "limit", ACCESS_LIMIT);
  const endpoints = readAccessEndpoints(right, known.options);
  if (place === null) return { ...NO_LIMITS, endpoints, unenforced };
  const limit = readLimit(place, { smoothing: known.options, per: "world" });
  checkAllowance(place);
  const quota = readQuota(place, rules.unlimited);
  return { limit, quota, throttle: readThrottle(place), endpoints, unenforced };
}

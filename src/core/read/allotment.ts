// What a policy and a key have in common at their root: limit, quota, throttling, metadata, access.
import type { AccessRight, GatewayOptions, MetaData, Quota, Throttle } from "../config.ts";
import type { Path } from "../problems.ts";
import { NEVER } from "../units.ts";
import { readAccessEndpoints } from "./endpoints.ts";
import { readLimit } from "./limit.ts";
import {
  ACCESS_LIMIT,
  ACCESS_RIGHT,
  STORED_IN_ACCESS_LIMIT,
  UNENFORCED_ACCESS,
} from "./members.ts";
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
  type Place,
} from "./place.ts";
import type { References } from "./references.ts";
import { durationIn, LONGEST, numberThat, textsIn } from "./values.ts";

const OFF = -1;

/** LIM-C9: -1 and 0 mean off. Only a policy keeps -1, where it says "unlimited" to the merge. */
export function readQuota(place: Place, unlimited: "kept" | "off"): Quota | null {
  const max = numberThat(
    place,
    "quota_max",
    "a whole number of at least -1",
    (value) => Number.isSafeInteger(value) && value >= OFF,
  );
  const renewal = offOr(place, "quota_renewal_rate");
  if (typeof max !== "number" || max === 0) return null;
  if (max === OFF) return unlimited === "kept" ? { max, renewalUs: NEVER } : null;
  return { max, renewalUs: renewal ?? NEVER };
}

export function readThrottle(place: Place): Throttle | null {
  const intervalUs = offOr(place, "throttle_interval");
  const whole = (value: number): boolean => Number.isSafeInteger(value) && value >= OFF;
  const retryLimit = numberThat(
    place,
    "throttle_retry_limit",
    "a whole number of at least -1",
    whole,
  );
  if (intervalUs === null || typeof retryLimit !== "number" || retryLimit <= 0) return null;
  return { intervalUs, retryLimit };
}

/** A duration of which -1 and 0 mean that it is off. */
function offOr(place: Place, name: string): Quota["renewalUs"] | null {
  if (member(place, name) === OFF) return null;
  const value = durationIn(place, name);
  if (typeof value !== "number" || value === 0) return null;
  if (value > 0 && value <= LONGEST) return value;
  noteAt(
    place,
    name,
    "CFG-VALUE",
    `${name} is -1 or 0 for off, or else above 0 and at most 100 years`,
  );
  return null;
}

export function readMetaData(place: Place): MetaData {
  const metaData = member(place, "meta_data");
  if (!isObject(metaData)) return {};
  const pattern = Object.hasOwn(metaData, "rate_limit_pattern")
    ? metaData["rate_limit_pattern"]
    : null;
  if (pattern !== null && pattern !== undefined) checkRateLimitPattern(place, pattern);
  return metaData;
}

const VARIABLE = /^\$gw_meta\.[^$]+$/;

function checkRateLimitPattern(place: Place, pattern: unknown): void {
  const path = [...at(place, "meta_data"), "rate_limit_pattern"];
  const fix = "write $gw_meta.NAME or plain text, joined by |";
  if (typeof pattern !== "string") {
    note(
      place.findings.problems,
      "CFG-RATE-LIMIT-PATTERN",
      path,
      `rate_limit_pattern is text, not ${show(pattern)}`,
      fix,
    );
    return;
  }
  const wrong = pattern.split("|").find((part) => part.includes("$") && !VARIABLE.test(part));
  if (wrong === undefined) return;
  const message = `part ${show(wrong)} of rate_limit_pattern is neither $gw_meta.NAME nor text without "$"`;
  note(place.findings.problems, "CFG-RATE-LIMIT-PATTERN", path, message, fix);
}

/** `access_rights`, or the short `apis: [names]` which grants without limits. Null where neither is there. */
export function readAccess(
  place: Place,
  references: References,
  options: GatewayOptions,
): ReadonlyMap<string, AccessRight> | null {
  if (has(place, "apis") && has(place, "access_rights")) {
    noteAt(
      place,
      "apis",
      "CFG-CONFLICT",
      "apis beside access_rights says the same thing twice",
      "keep one of them",
    );
  }
  if (has(place, "access_rights")) return readAccessRights(place, references, options);
  if (!has(place, "apis")) return null;
  const rights = new Map<string, AccessRight>();
  for (const { text, index } of textsIn(place, "apis")) {
    const id = knownApi(place, references, text, [...at(place, "apis"), index]);
    if (id !== null) rights.set(id, { limit: null, endpoints: [], unenforced: [] });
  }
  return rights;
}

function readAccessRights(
  place: Place,
  references: References,
  options: GatewayOptions,
): ReadonlyMap<string, AccessRight> {
  const rights = new Map<string, AccessRight>();
  const all = member(place, "access_rights");
  if (!isObject(all)) {
    noteAt(place, "access_rights", "CFG-TYPE", `access_rights is an object, not ${show(all)}`);
    return rights;
  }
  for (const [name, raw] of Object.entries(all)) {
    const path = [...at(place, "access_rights"), name];
    const id = knownApi(place, references, name, path);
    // `{}` and null grant access without a limit of its own.
    const right = open(raw ?? {}, path, place.findings, ACCESS_RIGHT);
    if (right === null) continue;
    const read = readAccessRight(right, options);
    if (id === null) continue;
    if (rights.has(id))
      note(
        place.findings.problems,
        "CFG-CONFLICT",
        path,
        `API ${show(id)} has two access rights`,
        "keep one of them",
      );
    rights.set(id, read);
  }
  return rights;
}

function knownApi(place: Place, references: References, name: string, path: Path): string | null {
  const id = references.find(name);
  if (id === null)
    note(
      place.findings.problems,
      "CFG-UNKNOWN-API",
      path,
      `there is no API ${show(name)}${references.suggest(name)}`,
    );
  return id;
}

function readAccessRight(right: Place, options: GatewayOptions): AccessRight {
  const unenforced = unenforcedIn(right, UNENFORCED_ACCESS);
  const limitPlace = openMember(right, "limit", ACCESS_LIMIT);
  const limit =
    limitPlace === null ? null : readLimit(limitPlace, { smoothing: options, per: "world" });
  if (limitPlace !== null) warnStoredOnly(limitPlace);
  return { limit, endpoints: readAccessEndpoints(right, options), unenforced };
}

function warnStoredOnly(place: Place): void {
  const acting = STORED_IN_ACCESS_LIMIT.filter(
    (name) => ![null, 0, OFF].includes(member(place, name) as number | null),
  );
  if (acting.length === 0) return;
  const fix = "write them at the root of the key or policy";
  noteAt(
    place,
    null,
    "CFG-STORED-ONLY",
    `stored, but without effect in the limit of one API: ${acting.join(", ")}`,
    fix,
  );
}

/** Members that would narrow access and are not empty: whoever has them is refused (MGT-C8). */
export function unenforcedIn(place: Place, names: readonly string[]): readonly string[] {
  const found = names.filter((name) => narrows(member(place, name)));
  for (const name of found) {
    noteAt(
      place,
      name,
      "CFG-UNENFORCED",
      `the gateway does not enforce ${name}, so it refuses the key with 403`,
      `take ${name} away`,
    );
  }
  return found;
}

function narrows(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isObject(value)) return Object.keys(value).length > 0;
  return value !== null && value !== false && value !== "";
}

import type { Key, Supplies } from "../core/config.ts";
import type { Path, Problem } from "../../kit/reading/problems.ts";
import { isUnlimited, type Limit } from "../core/limit.ts";
import { micros, NEVER, SECOND, type Micros } from "../../kit/units.ts";
import { readAccess } from "./access.ts";
import { readMetaData, readQuota, readThrottle } from "./allotment.ts";
import { checkAllowance, readLimit } from "./limit.ts";
import { KEY, UNENFORCED_KEY } from "./members.ts";
import {
  at,
  findingsOfRecord,
  has,
  note,
  noteAt,
  open,
  reportUnused,
  show,
  type PlacedObject,
} from "./place.ts";
import type { ReadContext, References } from "./references.ts";
import { listUnenforced } from "./unenforced.ts";
import { booleanIn, numberThat, orElse, textIn, textsIn } from "./values.ts";

/** A key, with the credential by which the gateway finds it. */
interface ReadKey {
  readonly credential: string;
  readonly key: Key;
}

export interface KeyReadContext extends ReadContext {
  readonly policies: References;
  /** The parts that a known policy supplies to its keys (LIM-C14). */
  readonly suppliesOf: (policyId: string) => Supplies;
}

/** One key, or with `count: N` N keys that differ only by name. Empty if the value is no object. */
export function readKeys(
  name: string,
  raw: unknown,
  path: Path,
  problems: Problem[],
  known: KeyReadContext,
): readonly ReadKey[] {
  const findings = findingsOfRecord(raw, path, problems);
  const place = open(raw, path, findings, KEY);
  if (place === null) return [];
  const references = policiesOf(place, known.policies);
  const applyPolicies = references.map(({ id, text }) => id ?? text);
  const supplied = applyPolicies.flatMap((id) =>
    known.policies.find(id) === null ? [] : [known.suppliesOf(id)],
  );
  const governed = supplied.some(({ access }) => access);
  checkAllowance(place);
  booleanIn(place, "hmac_enabled");
  textIn(place, "certificate");
  const key: Key = {
    id: textIn(place, "key_id") ?? name,
    limit: readLimit(place, { smoothing: known.options, per: "world" }),
    quota: readQuota(place, "off"),
    throttle: readThrottle(place),
    applyPolicies,
    accessRights: readAccess(place, known, { acting: !governed, unlimited: "off" }),
    inactive: orElse(booleanIn(place, "is_inactive"), false),
    expiresUs: expiryOf(place),
    metaData: readMetaData(place),
    unenforced: listUnenforced(place, UNENFORCED_KEY, true),
  };
  noteUnknown(place, references, hasLimit(key), known.policies);
  if (governed && key.accessRights !== null) warnStoredRights(place, supplied);
  reportUnused(findings);
  return copies(place, name, key);
}

function warnStoredRights(place: PlacedObject, supplied: readonly Supplies[]): void {
  const name = has(place, "access_rights") ? "access_rights" : "apis";
  const isAll = supplied.some(({ rate }) => rate) && supplied.some(({ quota }) => quota);
  const rest = isAll ? "is stored only" : "grants nothing";
  const message = `the policies of the key decide its access; its own ${name} ${rest}`;
  noteAt(place, name, "CFG-ACCESS-RIGHTS-UNUSED", message, `take ${name} away`);
}

const MOST_COPIES = 1_000_000;

function copies(place: PlacedObject, name: string, key: Key): readonly ReadKey[] {
  const fits = (value: number): boolean =>
    Number.isInteger(value) && value >= 1 && value <= MOST_COPIES;
  const count = numberThat(place, "count", `an integer from 1 to ${MOST_COPIES}`, fits);
  if (typeof count !== "number") return [{ credential: name, key }];
  if (has(place, "key_id")) {
    const message = "count makes several keys, which cannot share one key_id";
    noteAt(place, "count", "CFG-CONFLICT", message, "take key_id away");
  }
  return Array.from({ length: count }, (_, index) => {
    const id = `${name}-${index + 1}`;
    return { credential: id, key: { ...key, id } };
  });
}

/** LIM-C7: apply_policies, unless empty, overrides apply_policy_id. Unknown ids stay; their use emits an event. */
function policiesOf(place: PlacedObject, policies: References): readonly PolicyReference[] {
  const listed = textsIn(place, "apply_policies").map(({ text, index }) => ({
    text,
    path: [...at(place, "apply_policies"), index],
  }));
  const text = textIn(place, "apply_policy_id");
  const single = text === null ? [] : [{ text, path: at(place, "apply_policy_id") }];
  const counted = listed.length > 0 ? listed : single;
  return counted.map((reference) => ({ ...reference, id: policies.find(reference.text) }));
}

interface PolicyReference {
  readonly text: string;
  readonly path: Path;
  readonly id: string | null; // null: no policy has this name
}

/** Whether the key itself, without its policies, has a limit. */
const hasLimit = ({ limit, quota, accessRights }: Key): boolean =>
  quota !== null ||
  isEnforced(limit) ||
  [...(accessRights?.values() ?? [])].some(
    (right) =>
      right.quota !== null ||
      isEnforced(right.limit) ||
      right.endpoints.some((endpoint) => isEnforced(endpoint.limit)),
  );

const isEnforced = (limit: Limit | null): boolean =>
  limit !== null && !isUnlimited(limit) && limit.shadow !== true;

/** Reports unknown policies: in a file as errors if the key has no limit, in records (deleted policies) as warnings. */
function noteUnknown(
  place: PlacedObject,
  references: readonly PolicyReference[],
  isLimited: boolean,
  policies: References,
): void {
  const { problems } = place.findings;
  const unknown = references.filter(({ id }) => id === null);
  const isRejected = unknown.length > 0 && unknown.length === references.length;
  const isError = isRejected && !isLimited && policies.keepsDangling !== true;
  for (const { text: name, path } of unknown) {
    const { question, fix } = policies.suggest(name);
    const start = `there is no policy ${show(name)}`;
    if (isError) {
      const message = `${start}, and nothing else limits this key${question}`;
      note(problems, "CFG-KEY-WITHOUT-LIMIT", path, message, fix);
    } else note(problems, "CFG-UNKNOWN-POLICY", path, `${start}, so it is skipped${question}`, fix);
  }
  if (!isRejected || isError) return;
  const message = "none of the policies of this key is known, so the gateway refuses it with 403";
  noteAt(place, null, "CFG-KEY-REJECTED", message, "list a policy that is there");
}

/** Unix seconds; 0 and -1 mean never, and so does a time whose microseconds a double cannot represent (MGT-8). */
function expiryOf(place: PlacedObject): Micros {
  const fits = (value: number): boolean => Number.isInteger(value) && value >= -1;
  const expires = numberThat(
    place,
    "expires",
    "a Unix time in seconds, or -1 or 0 for never",
    fits,
  );
  if (typeof expires !== "number" || expires <= 0) return NEVER;
  if (Number.isSafeInteger(expires * SECOND)) return micros(expires * SECOND);
  const message = `expires ${expires} is after the year 2255, so the key never expires`;
  noteAt(place, "expires", "CFG-EXPIRES-NEVER", message, "write seconds, not milliseconds");
  return NEVER;
}

import type { GatewayOptions, Key } from "../config.ts";
import type { Path, Problem } from "../problems.ts";
import { micros, NEVER, SECOND, type Micros } from "../units.ts";
import { readAccess, readMetaData, readQuota, readThrottle, unenforcedIn } from "./allotment.ts";
import { readLimit } from "./limit.ts";
import { KEY } from "./members.ts";
import {
  at,
  has,
  noteAt,
  note,
  open,
  pastedFindings,
  reportUnused,
  show,
  strictFindings,
  type Place,
} from "./place.ts";
import { isRecord } from "./policy.ts";
import type { References } from "./references.ts";
import { booleanIn, numberThat, orElse, textIn, textsIn } from "./values.ts";

/** A key as its gateway finds it: the credential that a request carries, and what it stands for. */
export interface ReadKey {
  readonly credential: string;
  readonly key: Key;
}

export interface KeyReferences {
  readonly apis: References;
  readonly policies: References;
  readonly options: GatewayOptions;
}

/** One key, or with `count: N` N keys that differ in nothing but their name. Empty where it has no shape at all. */
export function readKeys(
  name: string,
  raw: unknown,
  path: Path,
  problems: Problem[],
  known: KeyReferences,
): readonly ReadKey[] {
  const findings = isRecord(raw) ? pastedFindings(problems, path) : strictFindings(problems, path);
  const place = open(raw, path, findings, KEY);
  if (place === null) return [];
  const key: Key = {
    id: textIn(place, "key_id") ?? name,
    limit: readLimit(place, { smoothing: known.options, per: "world" }),
    quota: readQuota(place, "off"),
    throttle: readThrottle(place),
    applyPolicies: policiesOf(place, known.policies),
    accessRights: readAccess(place, known.apis, known.options),
    inactive: orElse(booleanIn(place, "is_inactive"), false),
    expiresUs: expiryOf(place),
    metaData: readMetaData(place),
    unenforced: unenforcedOfKey(place),
  };
  if (
    key.accessRights !== null &&
    key.applyPolicies.some((id) => known.policies.find(id) !== null)
  ) {
    const member = has(place, "access_rights") ? "access_rights" : "apis";
    noteAt(
      place,
      member,
      "CFG-ACCESS-RIGHTS-UNUSED",
      `the policies of the key decide its access; its own ${member} is stored only`,
      `take ${member} away`,
    );
  }
  reportUnused(findings);
  return copies(place, name, key);
}

const MOST_COPIES = 1_000_000;

function copies(place: Place, name: string, key: Key): readonly ReadKey[] {
  const inRange = (value: number): boolean =>
    Number.isInteger(value) && value >= 1 && value <= MOST_COPIES;
  const count = numberThat(place, "count", `a whole number from 1 to ${MOST_COPIES}`, inRange);
  if (typeof count !== "number") return [{ credential: name, key }];
  if (has(place, "key_id"))
    noteAt(
      place,
      "count",
      "CFG-CONFLICT",
      "count makes several keys, which cannot share one key_id",
      "take key_id away",
    );
  return Array.from({ length: count }, (_, index) => {
    const id = `${name}-${index + 1}`;
    return { credential: id, key: { ...key, id } };
  });
}

/** LIM-C7: apply_policies, if not empty, wins over apply_policy_id. Unknown ids stay: they are an event when met. */
function policiesOf(place: Place, policies: References): readonly string[] {
  const listed = textsIn(place, "apply_policies").map(({ text, index }) => ({
    text,
    path: [...at(place, "apply_policies"), index],
  }));
  const single = textIn(place, "apply_policy_id");
  const counted =
    listed.length > 0
      ? listed
      : single === null
        ? []
        : [{ text: single, path: at(place, "apply_policy_id") }];
  let known = 0;
  const ids = counted.map(({ text, path }) => {
    const id = policies.find(text);
    if (id !== null) known += 1;
    else
      note(
        place.findings.problems,
        "CFG-UNKNOWN-POLICY",
        path,
        `there is no policy ${show(text)}${policies.suggest(text)}`,
      );
    return id ?? text;
  });
  if (ids.length > 0 && known === 0) {
    noteAt(
      place,
      null,
      "CFG-KEY-REFUSED",
      "none of the policies of this key is known, so the gateway refuses it with 403",
    );
  }
  return ids;
}

/** Unix seconds that stay exact as microseconds; 0 and -1 never expire. */
function expiryOf(place: Place): Micros {
  const fits = (value: number): boolean =>
    Number.isInteger(value) && value >= -1 && Number.isSafeInteger(value * SECOND);
  const expires = numberThat(
    place,
    "expires",
    "a Unix time in seconds, or -1 or 0 for never",
    fits,
  );
  return typeof expires === "number" && expires > 0 ? micros(expires * SECOND) : NEVER;
}

function unenforcedOfKey(place: Place): readonly string[] {
  booleanIn(place, "hmac_enabled");
  textIn(place, "certificate");
  return unenforcedIn(place, ["hmac_enabled", "certificate"]);
}

// The members of documents that are kept so that nobody reads them without the key of this installation.
import { isObject, type JsonObject, type JsonValue } from "./json.ts";
import type { Management, SealedAt, Secrets } from "./management.ts";
import type { Family } from "./records/family.ts";

/** `*`: every text below. */
const SEALED: Readonly<Partial<Record<Family, readonly (readonly string[])[]>>> = {
  users: [["access_key"]],
  profiles: [["IdentityHandlerConfig", "oauth-client-secret"]],
  webhooks: [["Secret"]],
  keys: [["hmac_string"], ["basic_auth_data", "*"]],
};

/** Records that were kept before theirs were sealed: what is open there is read as it is, and sealed with the next change. */
const MAY_BE_OPEN: ReadonlySet<Family> = new Set(["keys"]);

type Change = (text: string, at: SealedAt) => string;

export const sealed = (
  { seal }: Secrets,
  family: Family,
  id: string,
  document: JsonObject,
): JsonObject =>
  changedAt(family, id, document, (text, at) =>
    text === "" && MAY_BE_OPEN.has(family) ? text : seal(text, at),
  );

/** What was left open once. */
export const sealedWhereOpen = (
  { seal, isSealed }: Secrets,
  family: Family,
  id: string,
  document: JsonObject,
): JsonObject =>
  MAY_BE_OPEN.has(family)
    ? changedAt(family, id, document, (text, at) =>
        text === "" || isSealed(text) ? text : seal(text, at),
      )
    : document;

const opening =
  ({ unseal, isSealed }: Secrets): Change =>
  (text, at) =>
    MAY_BE_OPEN.has(at.family) && !isSealed(text) ? text : unseal(text, at);

export const unsealed = (
  secrets: Secrets,
  family: Family,
  id: string,
  document: JsonObject,
): JsonObject => changedAt(family, id, document, opening(secrets));

/** To be shown: what does not open is empty, and told, so that one damaged record hides no other. */
export function shownOpen(
  { secrets, tell }: Pick<Management, "secrets" | "tell">,
  family: Family,
  id: string,
  document: JsonObject,
): JsonObject {
  const open = opening(secrets);
  return changedAt(family, id, document, (text, at) => {
    try {
      return open(text, at);
    } catch (error) {
      tell(`${family} ${id}: ${at.field} does not open: ${String(error)}`);
      return "";
    }
  });
}

function changedAt(family: Family, id: string, document: JsonObject, change: Change): JsonObject {
  let next = document;
  for (const path of SEALED[family] ?? [])
    next = within(path, [], next, (text, at) =>
      change(text, { family, id, field: at.join(".") }),
    ) as JsonObject;
  return next;
}

type ChangeHere = (text: string, at: readonly string[]) => string;

function within(
  path: readonly string[],
  at: readonly string[],
  value: JsonValue,
  change: ChangeHere,
): JsonValue {
  const [name, ...rest] = path;
  if (name === undefined) return typeof value === "string" ? change(value, at) : value;
  if (name === "*") return everyText(at, value, change);
  if (!isObject(value) || !Object.hasOwn(value, name)) return value;
  return { ...value, [name]: within(rest, [...at, name], value[name]!, change) };
}

function everyText(at: readonly string[], value: JsonValue, change: ChangeHere): JsonValue {
  if (typeof value === "string") return change(value, at);
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).map((each, i) =>
      everyText([...at, `${i}`], each, change),
    );
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, everyText([...at, name], each, change)]),
  );
}

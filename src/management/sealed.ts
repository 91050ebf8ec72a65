// The members of documents that are kept so that nobody reads them without the key of this installation.
import { isObject, type JsonObject, type JsonValue } from "./json.ts";
import type { Management, SealedAt, Secrets } from "./management.ts";
import type { Family } from "./records/family.ts";

/** `*`: every text below. `[]`: each of a list. `?`: what follows the first question mark or hash of a text. */
const SEALED: Readonly<Partial<Record<Family, readonly (readonly string[])[]>>> = {
  users: [["access_key"]],
  profiles: [
    ["IdentityHandlerConfig", "oauth-client-secret"],
    ["ProviderConfig", "*"],
  ],
  webhooks: [["Secret"], ["Headers", "[]", "Value"], ["URL", "?"]],
  keys: [["hmac_string"], ["basic_auth_data", "*"], ["jwt_data", "*"], ["oauth_keys", "*"]],
};

export const SEALED_FAMILIES = Object.keys(SEALED) as readonly Family[];

/** Members that earlier versions kept open: read as they are until they are sealed. */
const MAY_BE_OPEN: Readonly<Partial<Record<Family, ReadonlySet<string>>>> = {
  keys: new Set(["hmac_string", "basic_auth_data", "jwt_data", "oauth_keys"]),
  webhooks: new Set(["Headers", "URL"]),
  profiles: new Set(["ProviderConfig"]),
};

const mayBeOpen = ({ family, field }: SealedAt): boolean =>
  MAY_BE_OPEN[family]?.has(field.split(".", 1)[0]!) === true;

/** How many texts of a document are kept sealed. */
export function secretsIn(family: Family, document: JsonObject): number {
  let count = 0;
  changedAt(family, "", document, (text) => {
    count++;
    return text;
  });
  return count;
}

type Change = (text: string, at: SealedAt) => string;

export const sealed = (
  { seal }: Secrets,
  family: Family,
  id: string,
  document: JsonObject,
): JsonObject =>
  changedAt(family, id, document, (text, at) =>
    text === "" && mayBeOpen(at) ? text : seal(text, at),
  );

/** With all of it under the key that seals now: what earlier versions left open, and what another key has sealed. */
export const resealed = (
  { seal, unseal, isSealed, isOfKey }: Secrets,
  family: Family,
  id: string,
  document: JsonObject,
  unopened: (at: SealedAt) => void = () => {},
): JsonObject =>
  changedAt(family, id, document, (text, at) => {
    if (!isSealed(text)) return text === "" || !mayBeOpen(at) ? text : seal(text, at);
    if (isOfKey(text, at)) return text;
    let open: string;
    try {
      open = unseal(text, at);
    } catch {
      unopened(at); // nobody can read it, under this key or another
      return text;
    }
    return seal(open, at);
  });

const opening =
  ({ unseal, isSealed }: Secrets): Change =>
  (text, at) =>
    mayBeOpen(at) && !isSealed(text) ? text : unseal(text, at);

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
  if (name === "?") return typeof value === "string" ? queryOf(at, value, change) : value;
  if (name === "[]")
    return Array.isArray(value)
      ? (value as readonly JsonValue[]).map((each, i) =>
          within(rest, [...at, `${i}`], each, change),
        )
      : value;
  if (!isObject(value) || !Object.hasOwn(value, name)) return value;
  return { ...value, [name]: within(rest, [...at, name], value[name]!, change) };
}

/** The address itself stays readable: an audit shows where events go. */
function queryOf(at: readonly string[], address: string, change: ChangeHere): string {
  const end = address.search(/[?#]/) + 1;
  return end === 0 || end === address.length
    ? address
    : address.slice(0, end) + change(address.slice(end), at);
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

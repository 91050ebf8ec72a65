// Seals and unseals the secret fields of documents with the key of the installation.
import { isObject, type JsonObject, type JsonValue } from "./json.ts";
import type { Management, SealedAt, Secrets } from "./management.ts";
import type { RecordTypeName } from "./records/record-types.ts";

/** Paths of sealed fields. `*`: every string below. `[]`: each item of a list. `?`: the query of a URL. */
const SEALED: Readonly<Partial<Record<RecordTypeName, readonly (readonly string[])[]>>> = {
  users: [["access_key"]],
  profiles: [
    ["IdentityHandlerConfig", "oauth-client-secret"],
    ["ProviderConfig", "*"],
  ],
  webhooks: [["Secret"], ["Headers", "[]", "Value"], ["URL", "?"]],
  keys: [["hmac_string"], ["basic_auth_data", "*"], ["jwt_data", "*"], ["oauth_keys", "*"]],
};

export const SEALED_FAMILIES = Object.keys(SEALED) as readonly RecordTypeName[];

/** Fields that earlier versions stored unsealed. They are read as plain text until they are sealed. */
const MAY_BE_OPEN: Readonly<Partial<Record<RecordTypeName, ReadonlySet<string>>>> = {
  keys: new Set(["hmac_string", "basic_auth_data", "jwt_data", "oauth_keys"]),
  webhooks: new Set(["Headers", "URL"]),
  profiles: new Set(["ProviderConfig"]),
};

const mayBeOpen = ({ family, field }: SealedAt): boolean =>
  MAY_BE_OPEN[family]?.has(field.split(".", 1)[0]!) === true;

/** The number of sealed strings in a document. */
export function secretsIn(family: RecordTypeName, document: JsonObject): number {
  let count = 0;
  mapSealed(family, "", document, (text) => {
    count++;
    return text;
  });
  return count;
}

type Change = (text: string, at: SealedAt) => string;

export const sealFields = (
  { seal }: Secrets,
  family: RecordTypeName,
  id: string,
  document: JsonObject,
): JsonObject =>
  mapSealed(family, id, document, (text, at) =>
    text === "" && mayBeOpen(at) ? text : seal(text, at),
  );

/** Seals with the present key: plain text of earlier versions, and values that another key has sealed. */
export const resealFields = (
  { seal, unseal, isSealed, isOfKey }: Secrets,
  family: RecordTypeName,
  id: string,
  document: JsonObject,
  unopened: (at: SealedAt) => void = () => {},
): JsonObject =>
  mapSealed(family, id, document, (text, at) => {
    if (!isSealed(text)) return text === "" || !mayBeOpen(at) ? text : seal(text, at);
    if (isOfKey(text, at)) return text;
    let open: string;
    try {
      open = unseal(text, at);
    } catch {
      unopened(at); // no available key unseals it
      return text;
    }
    return seal(open, at);
  });

const opening =
  ({ unseal, isSealed }: Secrets): Change =>
  (text, at) =>
    mayBeOpen(at) && !isSealed(text) ? text : unseal(text, at);

export const unsealFields = (
  secrets: Secrets,
  family: RecordTypeName,
  id: string,
  document: JsonObject,
): JsonObject => mapSealed(family, id, document, opening(secrets));

/** Unseals for display: a value that cannot be unsealed is empty and reported, so that the rest stays visible. */
export function unsealReadable(
  { secrets, report }: Pick<Management, "secrets" | "report">,
  family: RecordTypeName,
  id: string,
  document: JsonObject,
): JsonObject {
  const open = opening(secrets);
  return mapSealed(family, id, document, (text, at) => {
    try {
      return open(text, at);
    } catch (error) {
      report(`${family} ${id}: ${at.field} does not open: ${String(error)}`);
      return "";
    }
  });
}

function mapSealed(
  family: RecordTypeName,
  id: string,
  document: JsonObject,
  change: Change,
): JsonObject {
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

/** Changes only the query of a URL, so that audits can show the rest: the receiver's address. */
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

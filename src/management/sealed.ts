// The members of documents that are kept so that nobody reads them without the key of this installation.
import { isObject } from "./families/fields.ts";
import type { JsonObject } from "./json.ts";
import type { Management, Secrets } from "./management.ts";
import type { Family } from "./records/family.ts";

const SEALED: Readonly<Partial<Record<Family, readonly string[]>>> = {
  users: ["access_key"],
  profiles: ["IdentityHandlerConfig", "oauth-client-secret"],
  webhooks: ["Secret"],
};

export const sealed = (
  { seal }: Secrets,
  family: Family,
  id: string,
  document: JsonObject,
): JsonObject => changedAt(family, id, document, seal);

export const unsealed = (
  { unseal }: Secrets,
  family: Family,
  id: string,
  document: JsonObject,
): JsonObject => changedAt(family, id, document, unseal);

/** To be shown: what does not open is empty, and told, so that one damaged record hides no other. */
export const shownOpen = (
  { secrets, tell }: Pick<Management, "secrets" | "tell">,
  family: Family,
  id: string,
  document: JsonObject,
): JsonObject =>
  changedAt(family, id, document, (text, at) => {
    try {
      return secrets.unseal(text, at);
    } catch (error) {
      tell(`${family} ${id}: ${at.field} does not open: ${String(error)}`);
      return "";
    }
  });

function changedAt(
  family: Family,
  id: string,
  document: JsonObject,
  change: Secrets["seal"],
): JsonObject {
  const path = SEALED[family];
  if (path === undefined) return document;
  const at = { family, id, field: path.join(".") };
  return within(path, document, (text) => change(text, at));
}

function within(
  [name, ...rest]: readonly string[],
  document: JsonObject,
  change: (text: string) => string,
): JsonObject {
  if (name === undefined || !Object.hasOwn(document, name)) return document;
  const value = document[name]!;
  if (typeof value === "string" && rest.length === 0) return { ...document, [name]: change(value) };
  return isObject(value) ? { ...document, [name]: within(rest, value, change) } : document;
}

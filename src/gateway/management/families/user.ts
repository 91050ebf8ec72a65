// A user of the dashboard with the fields of the specification (MGT-5).
import type { z } from "zod";
import { errorAt } from "../../../kit/reading/problems.ts";
import type { JsonObject } from "../json.ts";
import type { RecordType } from "../record-type.ts";
import type { Management } from "../management.ts";
import type { Stored } from "../records/records.ts";
import { sealFields, unsealReadable } from "../sealed.ts";
import { int32, stringMap, object, table, text, boolean } from "./fields.ts";

const fields = {
  access_key: text,
  active: boolean,
  api_model: object,
  created_at: text,
  email_address: text,
  first_name: text,
  last_name: text,
  group_id: text,
  id: text,
  last_login_date: text,
  org_id: text,
  password_max_days: int32,
  password_updated: text,
  user_permissions: stringMap,
};

/** A user in a response, which has every field. */
export const user = table("a user", fields);
export type User = z.infer<typeof user>;

const LONGEST_ADDRESS = 254;
const isAddress = (text: string): boolean =>
  text.length <= LONGEST_ADDRESS &&
  text.isWellFormed() &&
  /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(text);
const address = text
  .refine(isAddress, "is an e-mail address, such as name@example.com")
  .meta({ format: "email", maxLength: LONGEST_ADDRESS });

/** Null resets a field to its value in `CLEARED`; the access key is replaced by a new one (MGT-C5). */
const changeable = {
  access_key: text.nullable(),
  active: boolean.nullable(),
  api_model: object.nullable(),
  created_at: text.nullable(),
  first_name: text.nullable(),
  last_name: text.nullable(),
  group_id: text.nullable(),
  id: text,
  last_login_date: text.nullable(),
  org_id: text.nullable(),
  password_max_days: int32.nullable(),
  password_updated: text.nullable(),
  user_permissions: stringMap.nullable(),
};
export const changedUser = table("a user", { ...changeable, email_address: address }).partial();
export const newUser = changedUser.extend({ email_address: address });

const NEVER = "0001-01-01T00:00:00Z";
const CLEARED = {
  active: true,
  api_model: {},
  created_at: NEVER,
  first_name: "",
  last_name: "",
  group_id: "",
  last_login_date: NEVER,
  org_id: "",
  password_max_days: 0,
  password_updated: NEVER,
  user_permissions: {},
};

export const users: RecordType = {
  name: "users",
  unknownMessage: "User not found",
  conflictMessage: "Another user has this e-mail address",
  idAt: ["id"],
  idIn: (document) => document["id"],
  prepare: ({ secrets, nowUs }, id, body, before) => {
    const creationTime =
      before === null ? { created_at: new Date(nowUs() / 1_000).toISOString() } : {};
    const newAccessKey = Object.hasOwn(body, "access_key")
      ? {}
      : sealFields(secrets, "users", id, { access_key: secrets.generate() });
    const document: JsonObject = { ...creationTime, ...newAccessKey, ...body };
    const { email_address: email } = document;
    const problems =
      typeof email === "string" ? [] : [errorAt("MGT-FIELD", ["email_address"], "is missing")];
    return { document, foundBy: userFoundBy(document), problems };
  },
};

/** The values by which a user is found: the address in lower case, and the text that searches read (MGT-C3). */
export function userFoundBy(document: JsonObject): {
  readonly unique: string;
  readonly text: string;
} {
  const part = (name: string): string => {
    const value = document[name];
    return typeof value === "string" ? value : "";
  };
  const email = part("email_address");
  // A line break separates address and name. Searches contain none, so no search matches parts of both.
  const text = [email, `${part("first_name")} ${part("last_name")}`]
    .map(normalizeSearch)
    .join("\n");
  return { unique: email.toLowerCase(), text };
}

/** Normalizes stored texts and searches: lower case, without characters that PostgreSQL rejects. */
export const normalizeSearch = (text: string): string =>
  text
    .toLowerCase()
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, " ");

/** The user for a response, with the access key unsealed. */
export function userView(management: Management, { id, document }: Stored): User {
  const stored = unsealReadable(management, "users", id, document) as Partial<User>;
  return { ...CLEARED, access_key: "", email_address: "", ...stored, id };
}
